"""A Botzone-style Reversi script that is restarted for every turn, replays all moves so far and prints its own."""

import json

LINES = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]


def flipped_discs(board, x, y, color):
    found = []
    for down, right in LINES:
        line, row, column = [], x + down, y + right
        while board.get((row, column)) == -color:
            line.append((row, column))
            row, column = row + down, column + right
        if board.get((row, column)) == color:
            found += line
    return found


def play(board, move, color):
    x, y = move["x"], move["y"]
    if x >= 0:  # -1 is a pass
        for square in [(x, y), *flipped_discs(board, x, y, color)]:
            board[square] = color


board = {(3, 3): -1, (3, 4): 1, (4, 3): 1, (4, 4): -1}  # (row, column): 1 is black, -1 is white
known = json.loads(input())
requests, responses = known["requests"], known["responses"]
me = 1 if requests[0]["x"] < 0 else -1
play(board, requests[0], -me)
for turn, response in enumerate(responses):
    play(board, response, me)
    play(board, requests[turn + 1], -me)

moves = [(x, y) for x in range(8) for y in range(8) if (x, y) not in board and flipped_discs(board, x, y, me)]
x, y = max(moves, key=lambda move: len(flipped_discs(board, *move, me)))
print(json.dumps({"response": {"x": x, "y": y}, "debug": f"{len(moves)} moves"}))
