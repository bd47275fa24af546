"""A golden-point script that is started for every round, reads all rounds so far and prints its numbers."""

rounds, columns = map(int, input().split("\t"))
golden = [float(input().split("\t")[0]) for _ in range(rounds)]

guess = golden[-1] if golden else 19.1
print(guess, guess * 0.95, sep="\t")
