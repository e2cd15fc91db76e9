from django.db.models import Count, Exists, OuterRef, Prefetch, Q, Subquery
from rest_framework.filters import BaseFilterBackend

# What the records of a relation need from further relations.
LOADED_WITH = {
    "directory_identities": ["workspace_integration"],
    "policy_users": ["policy_ruleset", "policy_rule"],
}
FORMS = ("", "-count", "-exists")


def requested_includes(request, view):
    """The known values of ?include=, as names of Python: policy_users, policy_users_count."""
    known = {relation + form for relation in view.include_relations for form in FORMS}
    values = request.query_params.get("include", "").split(",")
    return {value.strip().replace("-", "_") for value in values if value.strip() in known}


class IncludeFilter(BaseFilterBackend):
    """?include=R prefetches R, R-count annotates R_count, R-exists annotates R_exists."""

    def filter_queryset(self, request, queryset, view):
        model = queryset.model
        for name in requested_includes(request, view):
            relation = name.removesuffix("_count").removesuffix("_exists")
            present = Q(**{f"{relation}__isnull": False, f"{relation}__deleted_at": None})
            same_record = model.objects.filter(pk=OuterRef("pk"))
            if name.endswith("_count"):
                counted = same_record.values("pk").annotate(number=Count(relation, filter=present))
                queryset = queryset.annotate(**{name: Subquery(counted.values("number"))})
            elif name.endswith("_exists"):
                queryset = queryset.annotate(**{name: Exists(same_record.filter(present))})
            else:
                related = model._meta.get_field(relation).related_model.objects.filter(deleted_at=None)
                if relation in LOADED_WITH:
                    related = related.select_related(*LOADED_WITH[relation])
                queryset = queryset.prefetch_related(Prefetch(relation, related))
        return queryset
