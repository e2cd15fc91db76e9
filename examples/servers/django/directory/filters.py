from django import forms
from django.conf import settings
from django.utils import timezone
from django_filters import BooleanFilter, CharFilter, ChoiceFilter, Filter, FilterSet, IsoDateTimeFilter
from django_filters.widgets import BooleanWidget
from rest_framework.filters import OrderingFilter

from . import habits
from .models import STATES, State

COMMA_LISTS = "comma-lists" in settings.HABITS
ExactFilter = habits.CharInFilter if COMMA_LISTS else CharFilter
StateFilter = habits.ChoiceInFilter if COMMA_LISTS else ChoiceFilter


class SortFilter(OrderingFilter):
    """?sort=last_name,-created_at, with the id as the last field so that pages do not overlap."""

    def get_ordering(self, request, queryset, view):
        ordering = super().get_ordering(request, queryset, view)
        return [*ordering, "pk"] if ordering else ordering


class BracketForm(forms.Form):
    def add_prefix(self, field_name):
        return f"filter[{field_name}]"


class TrashedFilter(Filter):
    """Called without a value too: soft-deleted records are hidden unless asked for."""

    field_class = forms.CharField

    def filter(self, queryset, value):
        if value == "with":
            return queryset
        return queryset.filter(deleted_at__isnull=(value != "only"))


class RecordFilterSet(FilterSet):
    """filter[field], filter[field_search], filter[X_before] and filter[X_after]."""

    exact_fields = ["id", "name", "handle"]
    search_fields = ["id", "name", "handle"]
    date_fields = ["created", "updated", "expires", "deleted"]

    state = StateFilter(choices=STATES)
    trashed = TrashedFilter(strip=False)

    class Meta:
        form = BracketForm

    def __init__(self, data=None, *args, **kwargs):
        # django-filter copies every filter for each request: leave out those that were not sent.
        sent = {"filter[trashed]", *(data or {})}
        self.base_filters = {name: each for name, each in self.base_filters.items() if f"filter[{name}]" in sent}
        super().__init__(data, *args, **kwargs)

    @classmethod
    def get_filters(cls):
        filters = {name: ExactFilter(field_name=name) for name in cls.exact_fields}
        for name in cls.search_fields:
            filters[f"{name}_search"] = CharFilter(field_name=name, lookup_expr="icontains")
        for name in cls.date_fields:
            filters[f"{name}_before"] = IsoDateTimeFilter(field_name=f"{name}_at", lookup_expr="lt")
            filters[f"{name}_after"] = IsoDateTimeFilter(field_name=f"{name}_at", lookup_expr="gt")
        return filters | super().get_filters()


class DirectoryAttributeFilterSet(RecordFilterSet):
    type = ExactFilter()
    directory_dimension_id = ExactFilter()


class WorkspaceUserFilterSet(RecordFilterSet):
    exact_fields = ["id", "provider", "provider_id", "name", "handle", "email"]
    search_fields = ["id", "name", "handle", "email"]


class DirectoryUserFilterSet(RecordFilterSet):
    search_fields = [
        "id", "first_name", "last_name", "full_name", "email", "username", "badge_id", "employee_id",
        "employee_alt_id",
    ]
    exact_fields = search_fields + ["workspace_integration_id"]
    date_fields = [
        "created", "updated", "expires", "expired", "deactivated", "deleted", "provisioned", "deprovisioned",
    ]

    state = StateFilter(choices=State.choices)
    parent_id = ExactFilter(field_name="parent_user_id")
    manager_id = ExactFilter(field_name="manager_user_id")
    manager = BooleanFilter(field_name="is_manager", widget=BooleanWidget)
    deprovisioned_pending_deactivation = BooleanFilter(method="filter_pending", widget=BooleanWidget)
    org_search = CharFilter(field_name="org_values", lookup_expr="icontains")
    metadata_search = CharFilter(field_name="metadata_values", lookup_expr="icontains")

    def filter_pending(self, queryset, name, value):
        if not value:
            return queryset
        return queryset.filter(state=State.ACTIVE, deprovisioned_at__lte=timezone.now())
