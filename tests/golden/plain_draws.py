"""The rule of `microagg.kernels.random_numbers`, and what it draws, in Python alone: no NumPy, no compiler.

``python tests/golden/plain_draws.py`` prints the digests that `test_draws` holds. Nothing of the package is
imported, so that they were not written by what they check.
"""

from __future__ import annotations

import math
import struct
from hashlib import sha256, shake_128

WORD = (1 << 64) - 1
SEEDS = (0, 7, 2**52 + 11, 2**63 - 1)
NAMES = ("age", "income", "rent")
N = 60


def digest(text):
    return sha256(text.encode()).hexdigest()[:16]


# Orders.


def order(seed, count, stream=0):
    sponge = shake_128(f"{seed:x} {stream:x}".encode()).digest(8 * count)
    order = list(range(count))
    for i in range(count):
        word = int.from_bytes(sponge[8 * i : 8 * i + 8], "little")
        j = i + int((word >> 11) / 2**53 * (count - i))
        order[i], order[j] = order[j], order[i]
    return order


def chosen(seed, count, size):
    return sorted(order(seed, count)[:size])


# Numbers.


def mix(word):
    word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & WORD
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & WORD
    return word ^ (word >> 31)


def number(record, seed=0, salt=0.0):
    bits = int.from_bytes(struct.pack("<d", salt), "little")
    return (mix(mix((record + (seed + 1) * 0x9E3779B97F4A7C15) & WORD) ^ bits) >> 11) / 2**53


def sets(attributes, count, seed):
    found, place = [], 0
    while len(found) < count:
        coins = [number(place + i, seed) < 0.5 for i in range(attributes)]
        place += attributes
        known = tuple(i for i, side in enumerate(coins) if side)
        if known and known not in found:
            found.append(known)
    return found


# Loops.


class Xorshift:
    def __init__(self, seed, stream=0):
        word = mix((seed + 0x9E3779B97F4A7C15) & WORD)
        self.word = mix((word + stream + 0x9E3779B97F4A7C15) & WORD) or 1

    def number(self):
        self.word ^= self.word << 13 & WORD
        self.word ^= self.word >> 7
        self.word ^= self.word << 17 & WORD
        return (self.word >> 11) / 2**53

    def below(self, limit):
        return int(self.number() * limit)

    def poisson_4(self):
        count, product = 0, self.number()
        while product > 0.01831563888873418:
            count, product = count + 1, product * self.number()
        return count


# A file and its releases. Every sum of it is a whole number, so that no order of summing changes a bit.


def people():
    """Records (n, 3) of whole numbers, each column's mean one too."""
    columns = []
    for salt, most in enumerate((70, 900, 40)):
        column = [int(number(i, 1, float(salt)) ** 2 * most) for i in range(N)]
        column[-1] += -sum(column) % N
        columns.append(column)
    return list(zip(*columns, strict=True))


def standardised(records):
    columns = []
    for column in zip(*records, strict=True):
        mean = sum(column) // N
        spread = math.sqrt(sum((value - mean) ** 2 for value in column) / N)
        columns.append([(value - mean) / spread for value in column])
    return list(zip(*columns, strict=True))


def axis(points, sort):
    if sort == "attribute":
        return [point[1] for point in points]
    if sort == "zscores":
        return [point[0] + point[1] + point[2] for point in points]
    weights = [1.0, 1.0, 1.0]
    for _ in range(10_000):
        scores = [sum(w * x for w, x in zip(weights, point, strict=True)) for point in points]
        weights = [sum(s * point[j] for s, point in zip(scores, points, strict=True)) for j in range(3)]
        length = math.hypot(*weights)
        weights = [w / length for w in weights]
    return [sum(w * x for w, x in zip(weights, point, strict=True)) for point in points]


def fixed(points, k):
    along = axis(points, "zscores")
    ranks = sorted(range(len(points)), key=along.__getitem__)
    return [min(ranks.index(i) // k, len(points) // k - 1) for i in range(len(points))]


def loss(ordered, cuts):
    total, group = 0.0, []
    for row, cut in zip(ordered, cuts, strict=True):
        group.append(row)
        if cut:
            sums, squares = [0.0] * len(row), [0.0] * len(row)
            for member in group:
                for j, value in enumerate(member):
                    deviation = value - group[0][j]
                    sums[j] += deviation
                    squares[j] += deviation * deviation
            for j in range(len(row)):
                total += squares[j] - sums[j] * sums[j] / len(group)
            group = []
    return total


def change(cuts, random):
    for _ in range(random.poisson_4()):
        i = random.below(len(cuts) - 1)
        if random.number() < 0.5:
            cuts[i] = not cuts[i]
        else:
            cuts[i], cuts[i + 1] = cuts[i + 1], cuts[i]


def repair(cuts, k):
    n, start = len(cuts), 0
    for end in range(n - 1):
        size = end + 1 - start
        cuts[end] = size >= k and n - end - 1 >= k and (cuts[end] or size == 2 * k - 1)
        if cuts[end]:
            start = end + 1
    if n - start >= 2 * k:
        cuts[start + (n - start) // 2 - 1] = True
    cuts[-1] = True


def genetic(points, k, sort, cost, generations, population, seed):
    along, random = axis(points, sort), Xorshift(seed)
    n, ranks = len(points), sorted(range(len(points)), key=along.__getitem__)
    ordered = [points[i] if cost == "attributes" else (along[i],) for i in ranks]
    ends = {min((i // k + 1) * k, n) if i // k < n // k else n for i in range(n)}
    ends = {end for end in ends if n - end >= k} | {n}
    fore = [i + 1 in ends for i in range(n)]
    back = [n - i - 1 in ends for i in range(n)]
    back[-1] = True
    strings = [list((fore, back)[row % 2]) for row in range(population)]
    for cuts in strings[2:]:
        change(cuts, random)
        repair(cuts, k)
    losses = [loss(ordered, cuts) for cuts in strings]

    def winner():
        best = random.below(population)
        for _ in range(2):
            rival = random.below(population)
            best = rival if losses[rival] < losses[best] else best
        return best

    for _ in range(generations):
        children = [strings[losses.index(min(losses))]]
        while len(children) < population:
            one, other = winner(), winner()
            joint = random.below(n)
            child = strings[one][:joint] + strings[other][joint:]
            change(child, random)
            repair(child, k)
            children.append(child)
        strings, losses = children, [loss(ordered, cuts) for cuts in children]
    best, group, labels = strings[losses.index(min(losses))], 0, [0] * n
    for cut, record in zip(best, ranks, strict=True):
        labels[record] = group
        group += cut
    return labels


def csv(records, labels, shuffle=None):
    """The release's file: what is protected becomes its group's mean, the row's number stays."""
    rows = []
    for i, own in enumerate(labels):
        members = [record for record, label in zip(records, labels, strict=True) if label == own]
        first = members[0]
        means = [first[j] + sum(m[j] - first[j] for m in members) / len(members) for j in range(3)]
        rows.append(",".join([*map(repr, means), str(i)]))
    if shuffle is not None:
        rows = [rows[i] for i in order(shuffle, len(rows))]
    return "\n".join([",".join([*NAMES, "number"]), *rows, ""])


SORTS, COSTS = ("first component", "zscores", "attribute"), ("attributes", "projected")


def digests():
    records = people()
    points = standardised(records)
    found = {}
    for seed in SEEDS:
        found[f"order {seed}"] = digest(str(order(seed, 1000)))
        found[f"chosen {seed}"] = digest(str(chosen(seed, 1000, 50)))
        found[f"folds {seed}"] = digest(str(order(seed, 103, stream=1)))
        found[f"numbers {seed}"] = digest(str([number(i, seed, 1.5) for i in range(1000)]))
        found[f"sets {seed}"] = digest(str(sets(5, 20, seed) + sets(13, 50, seed)))
        random = Xorshift(seed, 2)
        loops = [(random.number(), random.below(1000), random.poisson_4()) for _ in range(1000)]
        found[f"loops {seed}"] = digest(str(loops))
        found[f"shuffle {seed}"] = digest(csv(records, fixed(points, 3), seed))
    for sort in SORTS:
        for cost in COSTS:
            for seed in (0, 2**52 + 11):
                labels = genetic(points, 3, sort, cost, 12, 10, seed)
                found[f"genetic, {sort}, {cost}, {seed}"] = digest(csv(records, labels))
    found["genetic, zscores, attributes, 0, shuffle 7"] = digest(
        csv(records, genetic(points, 3, "zscores", "attributes", 12, 10, 0), 7)
    )
    return found


if __name__ == "__main__":
    for name, value in digests().items():
        print(f'    "{name}": "{value}",')
