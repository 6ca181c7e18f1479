# The site without its embedded PostgreSQL: DATABASE_URL names the one to use.
FROM python:3.13-slim

# What PDFs are made with, and letters for names in scripts that ours do not have.
RUN apt-get update && apt-get install --yes --no-install-recommends \
    fonts-dejavu-core libharfbuzz-subset0 libpango-1.0-0 libpangoft2-1.0-0 && rm -rf /var/lib/apt/lists/*

WORKDIR /musterbook
COPY requirements.txt .
RUN pip install --no-cache-dir --require-hashes -r requirements.txt
COPY . .

# The only place that the app writes to: its secret key, unless SECRET_KEY is set, pictures, and the collected files.
RUN useradd --create-home musterbook && mkdir /var/lib/musterbook && chown musterbook /var/lib/musterbook
USER musterbook
ENV DATA_DIR=/var/lib/musterbook STATIC_ROOT=/var/lib/musterbook/static HOST=0.0.0.0
VOLUME /var/lib/musterbook
EXPOSE 8000
CMD ["python", "-m", "config.serve", "--no-demo"]
