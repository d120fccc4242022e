"""The proof of a game from its replay alone: every deal, every draw, every rule and the chain, without a database.

- `difference.py` the first thing that is not as it must be, and its place · `reading.py` a replay's events as told.
- `redeciding.py` a move decided once more · `ceremony.py` what the events around play may be · `past.py` a branch's
  copied beginning · `course.py` a whole stream of events, one append after the other.
- `links.py` the chain and receipts · `papers.py` what a replay says beside its events · `verifying.py` all of it.
- `sentences.py` what was checked and found, in English and French.

Must not live here: a way to repair, or trust in anything that the replay says about itself.
"""
