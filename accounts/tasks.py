"""Work of the accounts that no request waits for."""

from __future__ import annotations

from celery import shared_task

from accounts import passwords


@shared_task(name="accounts.tasks.send_reset_mail", autoretry_for=(OSError,), retry_backoff=True, max_retries=3)
def send_reset_mail(email: str) -> None:
    """Repeated delivery only mails again."""
    passwords.send_reset(email)
