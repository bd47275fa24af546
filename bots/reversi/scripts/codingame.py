"""A CodinGame-style Reversi script: it runs through the whole match and reads once a turn."""

me, size = int(input()), int(input())
while True:
    rows = [input() for _ in range(size)]
    moves = [input() for _ in range(int(input()))]
    print(moves[0])
