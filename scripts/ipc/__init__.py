"""IPC's scenes as scenes of simrun: what is read (reader), its meshes (meshes), and what is made of it (scene)."""
