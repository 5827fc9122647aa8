"""What PyScript runs in the page's worker: the engine, and nothing else."""

import engine

engine.start()
