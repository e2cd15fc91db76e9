import os

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management.base import BaseCommand
from django.db import transaction
from rest_framework.authtoken.models import Token

from seeding.company import Company


class Command(BaseCommand):
    help = "Fills an empty database with a generated company, and stores the access token."

    @transaction.atomic
    def handle(self, *args, **options):
        client = User.objects.create(username="api-client")
        Token.objects.create(user=client, key=settings.API_TOKEN)
        seed, user_count = int(os.environ.get("SEED", 1)), int(os.environ.get("USERS", 200))
        Company(seed, user_count).save()
