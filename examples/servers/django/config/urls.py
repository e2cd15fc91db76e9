from django.conf import settings
from django.urls import include, path
from rest_framework.routers import DefaultRouter

from directory import views

router = DefaultRouter(trailing_slash=settings.APPEND_SLASH)
router.register("directory/users", views.DirectoryUserViewSet)
router.register("directory/dimensions", views.DirectoryDimensionViewSet)
router.register("directory/attributes", views.DirectoryAttributeViewSet)
router.register("workspace/users", views.WorkspaceUserViewSet)

urlpatterns = [path("api/v1/", include(router.urls))]
