"""What all transports share, below every app: problem details, JSON, limits, pages. Imports no app of ours."""
