"""Ratings: what a finished ranked game does to its players, in the feed's recorded order.

Must live here: results, the model, the projections made from them, and what is asked of those. Must not: transports.
"""
