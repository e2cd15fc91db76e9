from django.shortcuts import get_object_or_404
from rest_framework.decorators import action
from rest_framework.response import Response
from rest_framework.viewsets import ReadOnlyModelViewSet

from . import filters, serializers
from .models import DirectoryAttribute, DirectoryDimension, DirectoryUser, WorkspaceUser


class DirectoryUserViewSet(ReadOnlyModelViewSet):
    queryset = DirectoryUser.objects.all()
    serializer_class = serializers.DirectoryUserSerializer
    filterset_class = filters.DirectoryUserFilterSet
    include_relations = [
        "manager-user", "workspace-user", "parent-user", "secondary-users", "direct-report-users",
        "workspace-integration", "directory-identities", "policy-conditions", "policy-users",
        "policy-rules-manifest", "policy-rules-qualified", "policy-rules-staged", "policy-rulesets",
    ]
    ordering_fields = [
        "id", "state", "is_manager", "first_name", "last_name", "full_name", "email", "username", "badge_id",
        "employee_id", "employee_alt_id", "created_at", "updated_at", "deleted_at", "expires_at", "provisioned_at",
        "deprovisioned_at",
    ]


class DirectoryDimensionViewSet(ReadOnlyModelViewSet):
    queryset = DirectoryDimension.objects.all()
    serializer_class = serializers.DirectoryDimensionSerializer
    filterset_class = filters.RecordFilterSet
    include_relations = ["attributes"]
    ordering_fields = ["id", "state", "name", "handle", "created_at", "updated_at", "expires_at", "deleted_at"]

    def get_queryset(self):
        DirectoryAttribute.expire_due()
        return super().get_queryset()


class DirectoryAttributeViewSet(ReadOnlyModelViewSet):
    queryset = DirectoryAttribute.objects.all()
    serializer_class = serializers.DirectoryAttributeSerializer
    filterset_class = filters.DirectoryAttributeFilterSet
    include_relations = []
    ordering_fields = [
        "id", "state", "type", "name", "handle", "created_at", "updated_at", "activated_at", "expires_at",
        "deleted_at",
    ]

    def get_queryset(self):
        DirectoryAttribute.expire_due()
        return super().get_queryset()

    @action(detail=True, methods=["patch"])
    def deprecate(self, request, pk):
        attribute = self.get_object()
        serializer = serializers.DeprecateSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        attribute.deprecate(**serializer.validated_data)
        return Response(self.get_serializer(attribute).data)


class WorkspaceUserViewSet(ReadOnlyModelViewSet):
    queryset = WorkspaceUser.objects.all()
    serializer_class = serializers.WorkspaceUserSerializer
    filterset_class = filters.WorkspaceUserFilterSet
    include_relations = []
    ordering_fields = [
        "id", "state", "provider", "name", "handle", "email", "created_at", "updated_at", "expires_at",
        "deleted_at", "last_authenticated_at", "last_activity_at",
    ]

    @action(detail=True, methods=["patch"])
    def restore(self, request, pk):
        # Not get_object(): the filters of the list would hide a soft-deleted user.
        user = get_object_or_404(WorkspaceUser, pk=pk)
        serializer = serializers.RestoreSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        user.restore(**serializer.validated_data)
        return Response(self.get_serializer(user).data)
