"""A CodinGame-style Reversi script that runs for the whole match and reads its input once per turn."""

me, size = int(input()), int(input())
while True:
    rows = [input() for _ in range(size)]
    moves = [input() for _ in range(int(input()))]
    print(moves[0])
