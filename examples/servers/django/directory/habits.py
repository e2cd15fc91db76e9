"""Classes that only the habits use. config/settings.py switches them on."""
from datetime import datetime

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.middleware.common import CommonMiddleware
from django_filters import BaseInFilter, CharFilter, ChoiceFilter
from rest_framework.renderers import JSONRenderer


class UtcEncoder(DjangoJSONEncoder):
    """Django's own encoder cuts timestamps to milliseconds."""

    def default(self, value):
        shown = super().default(value)
        if isinstance(value, datetime) and "offset-zero" in settings.HABITS:
            return shown.replace("Z", "+00:00")
        return shown


class DjangoEncoderRenderer(JSONRenderer):
    encoder_class = UtcEncoder


class AppendSlashMiddleware(CommonMiddleware):
    """Redirects to the slash; with 308 where the method and the body must be kept."""

    def process_response(self, request, response):
        response = super().process_response(request, response)
        if response.status_code == 301 and request.method not in ("GET", "HEAD"):
            response.status_code = 308
        return response


class CharInFilter(BaseInFilter, CharFilter):
    pass


class ChoiceInFilter(BaseInFilter, ChoiceFilter):
    pass
