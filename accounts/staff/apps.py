"""Django's admin, on our site."""

from __future__ import annotations

from django.contrib.admin.apps import AdminConfig


class StaffConfig(AdminConfig):
    default_site = "accounts.staff.site.StaffSite"
