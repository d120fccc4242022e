"""The same service as tutorials teach it, for comparison: Django Channels with the ORM and the Redis channel layer, and
a Django REST framework view under WSGI. It knows no rules, no views for each seat and no repeats: it does less than
Repli, which is to its advantage.
"""
