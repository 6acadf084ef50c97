"""The table solver and its checker on a GPU: the same tables of moves, and the same values.

Kernels only decide which thread looks at which pair of formations. What a move does is read from
the tables of moves, by functions that are compiled for the CPU, too.
"""
