"""Bodies put together from blocks: hexahedra and prisms that share whole faces, cut into tetrahedra."""
import math


def add(a, b, share=1.0):
    return tuple(p + share * q for p, q in zip(a, b))


def minus(a, b):
    return tuple(p - q for p, q in zip(a, b))


def dot(a, b):
    return sum(p * q for p, q in zip(a, b))


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def unit(a):
    length = math.sqrt(dot(a, a))
    return tuple(p / length for p in a)


def transported(axis, old_tangent, tangent):
    """`axis` moved along a curve without turning about it."""
    old_tangent, tangent = unit(old_tangent), unit(tangent)
    turn, cosine = cross(old_tangent, tangent), dot(old_tangent, tangent)
    moved = add(add(tuple(cosine * p for p in axis), cross(turn, axis)), turn, dot(turn, axis) / (1 + cosine))
    return unit(add(moved, tangent, -dot(moved, tangent)))


HEXAHEDRON = ((0, 1, 2, 3), (4, 7, 6, 5), (0, 4, 5, 1), (1, 5, 6, 2), (2, 6, 7, 3), (3, 7, 4, 0))
PRISM = ((0, 1, 2), (3, 5, 4), (0, 3, 4, 1), (1, 4, 5, 2), (2, 5, 3, 0))


class Body:
    """Points and blocks of them. Blocks that touch share points, which is what joins them."""

    def __init__(self):
        self.points, self.blocks = [], []

    def point(self, p):
        self.points.append(tuple(p))
        return len(self.points) - 1

    def hexahedron(self, bottom, top):
        """Four points around the bottom, and the four above them."""
        self.blocks.append((tuple(bottom) + tuple(top), HEXAHEDRON))

    def prism(self, bottom, top):
        self.blocks.append((tuple(bottom) + tuple(top), PRISM))

    def between(self, low, high):
        """The hexahedra between two grids of points, lists of rows of equal shape."""
        for i in range(len(low) - 1):
            for j in range(len(low[0]) - 1):
                around = ((i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1))
                self.hexahedron([low[a][b] for a, b in around], [high[a][b] for a, b in around])

    def tetrahedra(self):
        """Each block is cut from its lowest point, each face through its lowest point: so neighbours agree."""
        result = []
        for points, faces in self.blocks:
            apex = min(points)
            for face in faces:
                around = [points[i] for i in face]
                if apex in around:
                    continue
                first = around.index(min(around))
                around = around[first:] + around[:first]
                for i in range(1, len(around) - 1):
                    result.append(self.outward(apex, around[0], around[i], around[i + 1]))
        return result

    def volume(self, a, b, c, d):
        p, q, r = (minus(self.points[i], self.points[a]) for i in (b, c, d))
        return dot(cross(p, q), r) / 6

    def outward(self, a, b, c, d):
        return (a, b, c, d) if self.volume(a, b, c, d) > 0 else (a, b, d, c)

    def text(self):
        """As Medit writes it, from y = 0 up; lengths to four digits."""
        low = min(p[1] for p in self.points)
        tets = self.tetrahedra()
        lines = ["MeshVersionFormatted 2", "Dimension 3", "Vertices", str(len(self.points))]
        lines += [" ".join(f"{round(x, 4) + 0.0:.4g}" for x in (p[0], p[1] - low, p[2])) + " 0" for p in self.points]
        lines += ["Tetrahedra", str(len(tets))]
        lines += [" ".join(str(i + 1) for i in tet) + " 0" for tet in tets]
        return "\n".join(lines + ["End", ""])


def round_section(body, centre, across, along, radius):
    """Nine points of a disc, as a grid of 3 x 3."""
    def place(i, j):
        share = radius / math.sqrt(2) if i and j else radius
        return body.point(add(add(centre, across, share * i), along, share * j))
    return [[place(i, j) for j in (-1, 0, 1)] for i in (-1, 0, 1)]
