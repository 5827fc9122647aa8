"""How the networks in ``models/`` were made: drawing boards, spoiling them, training, measuring.

Nothing here is imported by ``fen_core``; it needs the training extra (torch, opencv-python-headless).
Order of the flow: artwork → positions → backgrounds → overlays → render → degrade → generate → train
→ export → evaluate.
"""
