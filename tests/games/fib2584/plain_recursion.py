"""The values of 2584 computed from their definition, independently of the arena's code."""

from __future__ import annotations

from functools import cache

FIBONACCI = [0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233]
Tiles = tuple[int, ...]


def tile_sum(board: Tiles) -> int:
    """Return the sum of the values of all tiles."""
    return sum(FIBONACCI[tile] for tile in board)


def merge_line(line: list[int]) -> tuple[list[int], int]:
    """Slide a line towards its front, merging matching tiles at most once each; return the line and the reward."""
    tiles, result, reward = [tile for tile in line if tile], [], 0
    while tiles:
        head = tiles.pop(0)
        if tiles and ({head, tiles[0]} == {1} or abs(head - tiles[0]) == 1):
            head = max(head, tiles.pop(0)) + 1
            reward += FIBONACCI[head]
        result.append(head)
    return result + [0] * (len(line) - len(result)), reward


def slide(board: Tiles, direction: str) -> tuple[Tiles, int]:
    grid = [list(board[:3]), list(board[3:])]
    if direction in ("up", "down"):
        grid = [list(column) for column in zip(*grid, strict=True)]
    backwards = direction in ("right", "down")
    reward = 0
    for number, line in enumerate(grid):
        done, gained = merge_line(line[::-1] if backwards else line)
        grid[number] = done[::-1] if backwards else done
        reward += gained
    if direction in ("up", "down"):
        grid = [list(row) for row in zip(*grid, strict=True)]
    return (*grid[0], *grid[1]), reward


@cache
def value_before_move(board: Tiles) -> float:
    options = [slide(board, direction) for direction in ("up", "right", "down", "left")]
    return max((reward + value_before_drop(result) for result, reward in options if result != board), default=0.0)


@cache
def value_before_drop(board: Tiles) -> float:
    free = [cell for cell in range(6) if not board[cell]]
    total = 0.0
    for cell in free:
        for tile, chance in ((1, 0.9), (2, 0.1)):
            total += chance * value_before_move((*board[:cell], tile, *board[cell + 1 :]))
    return total / len(free)
