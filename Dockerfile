# The arena for several machines; docker-compose.yml defines its services. On one machine, `make up` does not need this.

FROM node:22-slim AS browser
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY esbuild.config.js ./
COPY arena arena
COPY templates templates
COPY static static
RUN npm run bundle

FROM python:3.12-slim AS packages
WORKDIR /app
COPY requirements.txt requirements-s3.txt requirements-bots.txt ./
RUN python -m venv /opt/arena \
    && /opt/arena/bin/pip install --no-cache-dir --require-hashes -r requirements.txt -r requirements-s3.txt \
    && /opt/arena/bin/pip install --no-cache-dir --require-hashes --target /opt/bot-libraries -r requirements-bots.txt

FROM python:3.12-slim
# Fonts for share cards, including Chinese names.
RUN apt-get update && apt-get install -y --no-install-recommends fonts-dejavu-core fonts-wqy-zenhei \
    && rm -rf /var/lib/apt/lists/*
RUN useradd --create-home --uid 10001 arena && install -d -o arena -g arena /data
ENV PATH=/opt/arena/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    DJANGO_SETTINGS_MODULE=arena.settings \
    BOT_LIBRARIES_DIR=/opt/bot-libraries \
    ARENA_VAR=/data
WORKDIR /app
COPY --from=packages /opt /opt
COPY --from=browser /app/build/static build/static
COPY manage.py ./
COPY arena arena
COPY bots bots
COPY templates templates
COPY static static
COPY locale locale
RUN for catalog in locale/*/LC_MESSAGES/*.po; do \
        locale="$(basename "$(dirname "$(dirname "$catalog")")")"; \
        pybabel --quiet compile --locale "$locale" --input-file "$catalog" --output-file "${catalog%.po}.mo" || exit 1; \
    done \
    && python -m compileall -q arena \
    && ARENA_VAR=/tmp/build python manage.py collectstatic --noinput --verbosity=0 --ignore src \
    && rm -rf /tmp/build
USER arena
VOLUME /data
EXPOSE 8000
CMD ["uvicorn", "arena.asgi:application", "--host", "0.0.0.0", "--port", "8000", "--ws", "websockets-sansio", \
     "--ws-per-message-deflate", "false", "--ws-max-size", "4096", "--lifespan", "on", "--no-server-header", \
     "--no-proxy-headers", "--timeout-graceful-shutdown", "5", "--log-level", "warning"]
