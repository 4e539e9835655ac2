"""The recipes: each makes one Body, in metres, y up."""
import math
import random

from cells import Body, add, cross, dot, minus, round_section, transported, unit


def coil():
    """A rope wound up, like a spring of five turns."""
    turns, pitch, ring, rope, pieces = 5, 0.22, 0.35, 0.045, 36
    body, path = Body(), []
    for k in range(turns * pieces + 1):
        angle = 2 * math.pi * k / pieces
        path.append((ring * math.cos(angle), -pitch * k / pieces, ring * math.sin(angle)))
    tangents = [minus(path[min(k + 1, len(path) - 1)], path[max(k - 1, 0)]) for k in range(len(path))]
    sections = []
    for centre, tangent in zip(path, tangents):
        outwards = unit((centre[0], 0, centre[2]))
        sections.append(round_section(body, centre, outwards, unit(cross(tangent, outwards)), rope))
    for low, high in zip(sections, sections[1:]):
        body.between(low, high)
    return body


def honeycomb():
    """A sheet of six-sided cells, standing in the plane z = 0; walls are two blocks long."""
    side, wall, depth, layers, columns, rows = 0.1, 0.022, 0.1, 5, 7, 6
    body = Body()
    heights = [depth * (k / layers - 0.5) for k in range(layers + 1)]
    known = {}

    def tower(p):
        """A point at every height."""
        key = (round(p[0] * 1e6), round(p[1] * 1e6))
        if key not in known:
            known[key] = [body.point((p[0], p[1], z)) for z in heights]
        return known[key]

    def raise_blocks(outline):
        towers = [tower(p) for p in outline]
        block = body.hexahedron if len(towers) == 4 else body.prism
        for k in range(layers):
            block([t[k] for t in towers], [t[k + 1] for t in towers])

    def junction(centre, upwards):
        """A triangle whose sides are the ends of three walls; returns those ends by direction."""
        angles = [(90 if upwards else -90) + 120 * k for k in range(3)]
        tips = [math.radians(a + 60) for a in angles]
        reach = wall / math.sqrt(3)
        corner = [(centre[0] + reach * math.cos(t), centre[1] + reach * math.sin(t)) for t in tips]
        return corner, {angles[k] % 360: (corner[k - 1], corner[k]) for k in range(3)}

    width, height = math.sqrt(3) * side, 1.5 * side
    ends, junctions = {}, []
    for row in range(2 * rows):
        upwards = row % 2 == 1
        y = (row // 2) * height + (0 if not upwards else side / 2)
        shift = ((row + 1) // 2) % 2 * width / 2
        for column in range(columns):
            centre = (column * width + shift, y)
            corners, doors = junction(centre, upwards)
            junctions.append((centre, corners, doors))
            ends[round(centre[0], 5), round(centre[1], 5)] = doors
    for centre, corners, doors in junctions:
        raise_blocks(corners)
        for angle, (left, right) in doors.items():
            there = (round(centre[0] + side * math.cos(math.radians(angle)), 5),
                     round(centre[1] + side * math.sin(math.radians(angle)), 5))
            if there in ends and there > (round(centre[0], 5), round(centre[1], 5)):
                far_left, far_right = ends[there][(angle + 180) % 360]
                middle = [tuple((p + q) / 2 for p, q in zip(a, b)) for a, b in ((left, far_right), (right, far_left))]
                raise_blocks([left, right, middle[1], middle[0]])
                raise_blocks([middle[0], middle[1], far_left, far_right])
    centre = (columns - 0.5) * width / 2
    body.points = [(p[0] - centre, p[1], p[2]) for p in body.points]
    return body


def rounded(corners, pieces):
    """A closed curve through the corners (Catmull and Rom), in steps of equal length."""
    n, fine = len(corners), []
    for k in range(n):
        a, b, c, d = (corners[(k + i) % n] for i in (-1, 0, 1, 2))
        for i in range(50):
            t = i / 50
            fine.append(tuple(0.5 * (2 * q + (r - p) * t + (2 * p - 5 * q + 4 * r - s) * t * t +
                                     (3 * q - p - 3 * r + s) * t ** 3) for p, q, r, s in zip(a, b, c, d)))
    lengths = [0.0]
    for k in range(len(fine)):
        lengths.append(lengths[-1] + math.dist(fine[k], fine[(k + 1) % len(fine)]))
    path, k = [], 0
    for piece in range(pieces):
        wanted = lengths[-1] * piece / pieces
        while lengths[k + 1] <= wanted:
            k += 1
        share = (wanted - lengths[k]) / (lengths[k + 1] - lengths[k])
        path.append(add(fine[k], minus(fine[(k + 1) % len(fine)], fine[k]), share))
    return path


def moebius():
    """One band with half a turn in it: up through the middle of a ball, and down around it as a spiral."""
    radius, turns, pieces, cells, thick = 0.5, 3.5, 150, 3, 0.035
    core = [(0, radius * y, 0) for y in (-0.8, -0.48, -0.16, 0.16, 0.48, 0.8)]
    spiral = []
    for k in range(64):
        share = k / 63
        polar, angle = math.pi * (0.12 + 0.76 * share), 2 * math.pi * turns * share
        spiral.append((radius * math.sin(polar) * math.cos(angle), radius * math.cos(polar),
                       radius * math.sin(polar) * math.sin(angle)))
    path = rounded(core + spiral, pieces)
    tangents = [unit(minus(path[(k + 1) % pieces], path[k - 1])) for k in range(pieces)]
    carried = [unit(cross(tangents[0], (1, 0, 0.3)))]
    for k in range(1, pieces + 1):
        carried.append(transported(carried[-1], tangents[k - 1], tangents[k % pieces]))

    def angle_of(direction, k):
        return math.atan2(dot(direction, cross(tangents[k % pieces], carried[k])), dot(direction, carried[k]))

    def is_core(p):
        return math.hypot(p[0], p[2]) < 0.36 * radius

    # On the spiral the band lies in the ball's surface; through the core it turns into what it begins with again.
    turn = {}
    for k in range(pieces):
        if not is_core(path[k]):
            flat = angle_of(unit(cross(unit(path[k]), tangents[k])), k)
            last = turn[max(turn)] if turn else flat
            turn[k] = flat + 2 * math.pi * round((last - flat) / (2 * math.pi))
    first, last = min(turn), max(turn)
    # Where the curve closes, what was carried along it is turned against where it began.
    closing = angle_of(carried[0], pieces)
    wanted = turn[first] + closing
    wanted += math.pi * (2 * round((turn[last] - wanted - math.pi) / (2 * math.pi)) + 1)
    for k in [*range(last + 1, pieces), *range(first)]:
        beyond = k if k > last else k + pieces
        share = (beyond - last) / (first + pieces - last)
        at = turn[last] + (wanted - turn[last]) * share
        turn[k] = at if k > last else at - closing
    body, sections = Body(), []
    for k in range(pieces):
        side = cross(tangents[k], carried[k])
        across = add(tuple(math.cos(turn[k]) * p for p in carried[k]), side, math.sin(turn[k]))
        through = cross(tangents[k], across)
        # Narrow where it bends sharply.
        distance = math.hypot(path[k][0], path[k][2]) / radius
        width = 0.075 + 0.17 * max(0.0, distance - 0.35) + 0.06 * max(0.0, 1 - (path[k][1] / (0.6 * radius)) ** 2) * (distance < 0.2)
        sections.append([[body.point(add(add(path[k], across, width * (i / cells - 0.5)), through, thick * (j - 0.5)))
                          for j in (0, 1)] for i in range(cells + 1)])
    for low, high in zip(sections, sections[1:]):
        body.between(low, high)
    start = sections[0]
    odd = dot(minus(body.points[sections[-1][cells][0]], body.points[sections[-1][0][0]]),
              minus(body.points[start[cells][0]], body.points[start[0][0]])) < 0
    body.between(sections[-1], [row[::-1] for row in start[::-1]] if odd else start)
    return body


def tower():
    """Four legs that bend together into a shaft, tied by platforms. 43 m tall."""
    tall, legs = 43.0, (0, 1, 4, 5)
    levels = [0, 1.6, 3.2, 4.8, 6.4, 8.0, 9.6, 10.8, 12.4, 14.2, 16.0, 17.8, 19.4, 20.4, 22.2, 24.2, 26.2, 28.2, 30.2, 32.2,
              34.2, 36.2, 38.2, 39.6, 40.6, 41.8, 43.0]
    platforms = {6, 12, 23}
    body = Body()

    def lines(y, level):
        """Where the seven lines of the grid are at this height."""
        half = 1.3 + 8.2 * (1 - min(1, y / 34)) ** 2.1
        leg = min(0.5 * half, 0.85 + 1.5 * (1 - min(1, y / 20)))
        if level - 1 in platforms or level in platforms:
            half *= 1.12
        if y > 40.5:
            half *= 1 - 0.4 * (y - 40.5) / (tall - 40.5)
            leg = 0.5 * half
        return [-half, -half + leg / 2, -half + leg, 0, half - leg, half - leg / 2, half]

    grid = []
    for level, y in enumerate(levels):
        at = lines(y, level)
        grid.append([[(x, y, z) for z in at] for x in at])
    points = {}

    def point(level, i, j):
        if (level, i, j) not in points:
            points[level, i, j] = body.point(grid[level][i][j])
        return points[level, i, j]

    for level, y in enumerate(levels[:-1]):
        for i in range(6):
            for j in range(6):
                on_leg = i in legs and j in legs
                on_side = i in legs or j in legs
                if on_leg or (level in platforms and on_side) or (y > 25 and on_side) or y > 39:
                    around = ((i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1))
                    body.hexahedron([point(level, a, b) for a, b in around], [point(level + 1, a, b) for a, b in around])
    return body


def bridge():
    """A deck on columns, which stand on two arches. 24 m long."""
    spans, span, column, across = 10, 2.1, 0.3, [0, 0.35, 1.05, 1.75, 2.1]
    deck, below, rise, arch = 6.6, 6.2, 5.4, 0.35
    stations, is_column = [0.0], []
    for k in range(spans + 1):
        stations.append(stations[-1] + column)
        is_column.append(True)
        if k < spans:
            for _ in range(3):
                stations.append(stations[-1] + span / 3)
                is_column.append(False)
    length = stations[-1]

    def arch_top(x):
        return arch + rise * (1 - (2 * x / length - 1) ** 2)

    def heights(x):
        """Of the grid's lines: two of the arch, those of a column, three of the deck."""
        top = arch_top(x)
        return [top - arch, top - arch / 2, *(top + (below - top) * k / 4 for k in range(5)), (below + deck) / 2, deck]

    body, points = Body(), {}

    def point(i, j, k):
        if (i, j, k) not in points:
            points[i, j, k] = body.point((stations[i] - length / 2, heights(stations[i])[j], across[k] - across[-1] / 2))
        return points[i, j, k]

    for i, standing in enumerate(is_column):
        for j in range(8):
            for k in range(4):
                rib = k in (0, 3)
                tie = standing and j < 2 and i % 8 == 0
                if j >= 6 or (rib and (j < 2 or standing)) or tie:
                    around = ((i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1))
                    body.hexahedron([point(a, b, k) for a, b in around], [point(a, b, k + 1) for a, b in around])
    return body


class Tree:
    """Limbs of round sections. A limb starts on four faces of the side of another, so that they are one body."""

    def __init__(self):
        self.body, self.chance = Body(), random.Random(4)

    def limb(self, sections, centre, direction, radius, thinnest, length, axes, rising):
        """Goes on from the last of `sections`; returns all, with the centre and axes of each."""
        across, along = axes
        frames, gone = [], 0.0
        while gone < length:
            step = max(1.6 * radius, 0.13)
            wander = tuple(0.12 * (self.chance.random() - 0.5) for _ in range(3))
            turned = unit(add(add(direction, wander), (0, 1, 0), rising))
            across = transported(across, direction, turned)
            along = unit(cross(turned, across)) if dot(cross(turned, across), along) > 0 else unit(cross(across, turned))
            direction = turned
            centre = add(centre, direction, step)
            gone += step
            radius = max(thinnest, radius * (1 - 0.75 * step / length))
            section = round_section(self.body, centre, across, along, radius)
            self.body.between(sections[-1], section)
            sections.append(section)
            frames.append((centre, direction, radius))
        return frames

    def branch(self, sections, at, side, share, length, rising):
        """From the faces between sections at and at + 2 on one of the four sides."""
        def edge(s):
            return [s[2], [row[2] for row in s], s[0], [row[0] for row in s]][side]
        patch = [edge(sections[at + k]) for k in range(3)]
        corner = [self.body.points[patch[a][b]] for a, b in ((0, 0), (2, 0), (0, 2), (2, 2))]
        across = unit(minus(add(corner[1], corner[3]), add(corner[0], corner[2])))
        along = unit(minus(add(corner[2], corner[3]), add(corner[0], corner[1])))
        middle, inside = self.body.points[patch[1][1]], self.body.points[sections[at + 1][1][1]]
        outwards = unit(minus(middle, inside))
        radius = share * math.dist(middle, inside)
        along = unit(add(along, outwards, -dot(along, outwards)))
        across = unit(add(across, outwards, -dot(across, outwards)))
        limb = [patch]
        self.limb(limb, middle, outwards, radius, 0.05, length, (across, along), rising)
        return limb


def tree():
    """A trunk, limbs on it and twigs on those. 6 m tall."""
    plant = Tree()
    trunk = [round_section(plant.body, (0, 0, 0), (1, 0, 0), (0, 0, 1), 0.42)]
    plant.limb(trunk, (0, 0, 0), (0, 1, 0), 0.36, 0.1, 5.6, ((1, 0, 0), (0, 0, 1)), 0.1)
    for k, at in enumerate(range(5, len(trunk) - 2, 2)):
        higher = at / len(trunk)
        for side in (k % 4, (k + 2) % 4):
            limb = plant.branch(trunk, at, side, 0.55, 3.0 - 1.8 * higher, 0.14)
            for twig, start in enumerate(range(3, len(limb) - 2, 3)):
                plant.branch(limb, start, (twig + k) % 4, 0.75, 1.0 - 0.5 * higher, 0.12)
    return plant.body


STRUCTURES = {"coil": coil, "honeycomb": honeycomb, "moebius": moebius, "tower": tower, "bridge": bridge, "tree": tree}
