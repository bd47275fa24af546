/** Captions of matches: facts about a match, each with the code of its sentence. */
import { paragraph } from "../site/format.js";

/** @typedef {{code: string, values: Record<string, any>}} Fact `values`: what the sentence contains */

/**
 * @param {(Fact | null)[]} facts null: nothing to say
 * @param {(values: Record<string, any>) => Record<string, string>} texts the sentences by code, in the right number for
 * these values
 * @returns {string}
 */
export function captionText(facts, texts) {
  return paragraph(facts.map((fact) => (fact ? interpolate(texts(fact.values)[fact.code], fact.values, true) : "")));
}
