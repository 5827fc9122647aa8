"""What PyScript runs in the page's worker: the engine, and nothing else."""

import engine
from polyscript import xworker

# PyScript hands the first message to this too, and fails where it is missing. The engine listens by itself.
xworker.onmessage = lambda event: None

engine.start()
