"""Below /api/v1/: the accounts, and the public profile of a player."""

from __future__ import annotations

from django.urls import path

from accounts import views

urlpatterns = [
    path("accounts/guest/", views.GuestView.as_view()),
    path("accounts/register/", views.RegisterView.as_view()),
    path("accounts/login/", views.LoginView.as_view()),
    path("accounts/logout/", views.LogoutView.as_view()),
    path("accounts/upgrade/", views.UpgradeView.as_view()),
    path("accounts/me/", views.MeView.as_view()),
    path("accounts/me/export/", views.ExportView.as_view()),
    path("accounts/password/", views.PasswordView.as_view()),
    path("accounts/password/reset/", views.PasswordResetView.as_view()),
    path("accounts/password/reset/confirm/", views.PasswordResetConfirmView.as_view()),
    path("accounts/tokens/", views.TokensView.as_view()),
    path("accounts/tokens/<uuid:token_id>/", views.TokenView.as_view()),
    path("players/<uuid:player_id>/", views.PlayerView.as_view()),
]
