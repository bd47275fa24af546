// Globals on pages in addition to the browser's: Django's JavaScript catalog.

declare function gettext(text: string): string;
declare function ngettext(one: string, many: string, count: number): string;
declare function pgettext(context: string, text: string): string;
declare function npgettext(context: string, one: string, many: string, count: number): string;
declare function interpolate(text: string, values: readonly unknown[], named?: false): string;
declare function interpolate(text: string, values: object, named: boolean): string;
