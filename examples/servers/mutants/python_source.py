"""The mutants that mutmut and cosmic-ray make of Python source. Both are used as libraries; neither changes a file."""

import os
import tempfile
from itertools import accumulate
from pathlib import Path


def mutmut_mutants(code):
    """(mutator, mutated code) for each mutation, those outside of functions included."""
    from libcst.metadata import MetadataWrapper, PositionProvider

    # mutmut reads its settings from the working directory, and insists on a folder of sources.
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "setup.cfg").write_text("[mutmut]\nsource_paths=source\n")
        Path(folder, "source").mkdir()
        os.chdir(folder)
        try:
            from mutmut.mutation import file_mutation, mutators
        finally:
            os.chdir(before)

        made = {}

        def named(operator):
            def mutate(node):
                for mutated in operator(node):
                    made[id(mutated)] = "mutmut " + operator.__name__.removeprefix("operator_")
                    yield mutated

            return mutate

        file_mutation.mutation_operators = [(kind, named(operator)) for kind, operator in mutators.mutation_operators]
        os.chdir(folder)
        try:
            module, mutations, _, _ = file_mutation.create_mutations("source/any.py", code)
        finally:
            os.chdir(before)
    starts = list(accumulate((len(line) for line in code.splitlines(keepends=True)), initial=0))
    places = MetadataWrapper(module, unsafe_skip_copy=True).resolve(PositionProvider)
    for each in mutations:
        place = places.get(each.original_node)
        start, end = (starts[at.line - 1] + at.column for at in (place.start, place.end)) if place else (0, 0)
        # The whole module is written anew only where the place of a node has no blanks that its text has.
        if place and code[start:end] == module.code_for_node(each.original_node):
            yield made[id(each.mutated_node)], code[:start] + module.code_for_node(each.mutated_node) + code[end:]
        else:
            yield made[id(each.mutated_node)], module.deep_replace(each.original_node, each.mutated_node).code


def cosmic_ray_mutants(code):
    """The same by cosmic-ray, which also mutates the bodies of decorated functions."""
    from cosmic_ray import plugins
    from cosmic_ray.ast import ast_nodes, get_ast
    from cosmic_ray.mutating import mutate_code

    nodes = list(ast_nodes(get_ast(code)))
    for name in plugins.operator_names():
        operator = plugins.get_operator(name)
        # `str | None` in an annotation is no operation, and two operators want to be told names.
        if "BitOr" in name or operator.arguments():
            continue
        places = sum(len(list(operator().mutation_positions(node))) for node in nodes)
        for occurrence in range(places):
            yield "cosmic-ray " + name.removeprefix("core/"), mutate_code(code, operator(), occurrence)


def mutants(code):
    """(mutator, start, end, replacement) with offsets of characters; each result once."""
    seen = {code}
    for make in (mutmut_mutants, cosmic_ray_mutants):
        for mutator, mutated in make(code):
            if mutated is None or mutated in seen:
                continue
            seen.add(mutated)
            start = len(os.path.commonprefix([code, mutated]))
            most = min(len(code), len(mutated)) - start
            tail = len(os.path.commonprefix([code[::-1][:most], mutated[::-1][:most]]))
            yield mutator, start, len(code) - tail, mutated[start : len(mutated) - tail]
