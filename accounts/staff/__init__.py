"""The admin at /admin/: what staff may look at, and the few things that staff may do.

Must live here: what all apps' admin pages are built from. Must not: anything that knows a game. Invariant: nothing is
written but by a deed, which asks for a reason and leaves a row in the audit; whoever is staff, a superuser too, sees
no more of a game that is not over than a spectator.
"""
