import os, pytest
def test_a(servers):
    from django.db import connection
    with connection.cursor() as c:
        c.execute("select current_user, version()")
        print(c.fetchone())
