"""View models of battles: what each template of a battle shows."""
