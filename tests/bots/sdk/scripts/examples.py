"""Example scripts as written for other sites; each plays the first legal move it finds."""

RULES = """
DIRECTIONS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]

def flips(board, x, y, color):
    found = []
    if board[x][y]:
        return found
    for dx, dy in DIRECTIONS:
        line, i, j = [], x + dx, y + dy
        while 0 <= i < 8 and 0 <= j < 8 and board[i][j] == -color:
            line.append((i, j))
            i, j = i + dx, j + dy
        if 0 <= i < 8 and 0 <= j < 8 and board[i][j] == color:
            found += line
    return found

def place(board, x, y, color):
    if x < 0:
        assert not moves(board, color), "it could have moved"
        return
    turned = flips(board, x, y, color)
    assert turned, (x, y, color)
    for i, j in [(x, y)] + turned:
        board[i][j] = color

def moves(board, color):
    return [(x, y) for x in range(8) for y in range(8) if flips(board, x, y, color)]

def start():
    board = [[0] * 8 for _ in range(8)]
    board[3][4] = board[4][3] = 1
    board[3][3] = board[4][4] = -1
    return board
"""

BOTZONE = (
    "import json\n"
    + RULES
    + """
full = json.loads(input())
requests, responses = full["requests"], full["responses"]
board, color = start(), 1
if requests[0]["x"] >= 0:
    color = -1
    place(board, requests[0]["x"], requests[0]["y"], 1)
for request, response in zip(requests[1:], responses):
    place(board, response["x"], response["y"], color)
    place(board, request["x"], request["y"], -color)
print("thinking \u9ed1\u68cb")
x, y = moves(board, color)[0]
print(json.dumps({"response": {"x": x, "y": y}, "debug": "d%d" % len(requests)}))
"""
)

BOTZONE_LONG = (
    "import json, sys\n"
    + RULES
    + """
def say(board, color):
    found = moves(board, color)
    x, y = found[0] if found else (-1, -1)
    if found:
        place(board, x, y, color)
    print(json.dumps({"response": {"x": x, "y": y}}))
    print(">>>BOTZONE_REQUEST_KEEP_RUNNING<<<", flush=True)

def main():
    full = json.loads(sys.stdin.readline())
    requests, responses = full["requests"], full["responses"]
    board, color = start(), 1
    if requests[0]["x"] >= 0:
        color = -1
        place(board, requests[0]["x"], requests[0]["y"], 1)
    for request, response in zip(requests[1:], responses):
        place(board, response["x"], response["y"], color)
        place(board, request["x"], request["y"], -color)
    say(board, color)
    while True:
        request = json.loads(sys.stdin.readline())
        place(board, request["x"], request["y"], -color)
        say(board, color)

if __name__ == "__main__":
    main()
"""
)

BOTZONE_SIMPLE = (
    "# botzone.org.cn\n"
    + RULES
    + """
turns = int(input())
board, color = start(), None
for turn in range(turns):
    x, y = map(int, input().split())
    if color is None:
        color = 1 if x < 0 else -1
        if x >= 0:
            place(board, x, y, 1)
    else:
        place(board, x, y, -color)
    if turn < turns - 1:
        place(board, *map(int, input().split()), color)
print(*moves(board, color)[-1])
"""
)

CODINGAME = """
import sys
import math

# id: id of your player.
_id = int(input())
board_size = int(input())
assert board_size == 8
turn = 0

# game loop
while True:
    turn += 1
    rows = []
    for i in range(board_size):
        line = input()  # rows from top to bottom (viewer perspective).
        rows.append(line)
    action_count = int(input())  # number of legal actions for this turn.
    actions = [input() for i in range(action_count)]
    print("turn", turn, "as", _id, rows[3], file=sys.stderr, flush=True)
    print(actions[turn % action_count], "MSG hello")
"""

OTHELLO_GUI = (
    """
def run_ai():
    print("First AI")  # First line is the name of this AI
    color = int(input())  # Then we read the color: 1 for dark, 2 for light.
    mine, other = (1, -1) if color == 1 else (-1, 1)
    while True:
        status, dark, light = input().strip().split()
        if status == "FINAL":
            break
        board = eval(input())
        assert sum(row.count(1) for row in board) == int(dark)
        numbers = [[{0: 0, 1: 1, 2: -1}[value] for value in row] for row in board]
        row, column = moves(numbers, mine)[0]
        print("{} {}".format(column, row))
"""
    + RULES
    + """
if __name__ == "__main__":
    run_ai()
"""
)

REVERSI_AI = """
#!/usr/bin/env python3
import sys, os
from typing import List, Tuple

def reversi_ai(player: int, board: List[int], allow: List[bool]) -> Tuple[int, int]:
    print("thinking", file=sys.stderr)
    assert len(board) == len(allow) == 64
    assert ask_next_pos(board, player) == allow
    i = allow.index(True)
    assert board[i] == 2
    return i >> 3, i & 7

def ask_next_pos(board, player):
    sys.stdout.buffer.write(b"#")
    return [int(i) == 1 for i in sys.stdin.buffer.read(64).decode()]

def start():
    while True:
        data = sys.stdin.buffer.read(67)

if __name__ == '__main__':
    start()
"""

GOLDEN = """
import sys

def main():
    lines = sys.stdin.readlines()
    rounds, columns = map(int, lines[0].split("\\t"))
    golden = [float(line.split("\\t")[0]) for line in lines[1:1 + rounds]]
    for line in lines[1:]:
        assert len(line.split("\\t")) == columns
    print("so far", golden, file=sys.stderr)
    guess = golden[-1] if golden else 19.1
    print("%f\\t%f" % (guess, guess / 2))

if __name__ == "__main__":
    main()
"""

SAIBLO = REVERSI_AI.replace("(player: int, board: List[int], allow: List[bool])", "(player, board, allow, memory)")
SAIBLO = SAIBLO.replace(
    """    sys.stdout.buffer.write(b"#")
    return""",
    """    send("#" + str(player) + "".join(map(str, board)) + "#")
    return""",
).replace(
    """        data = sys.stdin.buffer.read(67)
""",
    """        data = sys.stdin.buffer.read(67).decode()
        player, board = int(data[1]), [int(i) for i in data[2:-1]]
        x, y = reversi_ai(player, board, ask_next_pos(board, player), {})
        send(str(x) + str(y))

def send(text):
    sys.stdout.buffer.write(len(text).to_bytes(4, byteorder="big", signed=True) + text.encode())
    sys.stdout.flush()
""",
)
