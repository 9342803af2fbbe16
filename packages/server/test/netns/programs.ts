import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findNginx } from './find-nginx.ts'
import { first, type Namespace } from './namespace.ts'
import { SERVICE_ADDRESS } from './service.ts'

/** Programs between a visitor and the service. Each resolves once it listens. */

export const PROXY_PORT = 3128

export const startConnectProxy = (machine: Namespace): Promise<void> =>
  startOwn(machine, 'connect-proxy-program.ts', PROXY_PORT)

export const startSocksProxy = (machine: Namespace): Promise<void> =>
  startOwn(machine, 'socks-proxy-program.ts', PROXY_PORT)

/** Forwards a port to the same port of the service, with a PROXY protocol header of version 2. */
export const startBalancer = (machine: Namespace, port: number): Promise<void> =>
  startOwn(machine, 'balancer-program.ts', port)

async function startOwn(machine: Namespace, name: string, port: number): Promise<void> {
  const path = fileURLToPath(new URL(name, import.meta.url))
  const program = machine.start(process.execPath, [path, String(port), SERVICE_ADDRESS], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  await first(program, once(program, 'message'))
}

/** Forwards connections with a PROXY protocol header of version 1. */
export const streamConfig = (port: number): string => `load_module ${findNginx()?.streamModule};
events {}
stream { server { listen ${port}; proxy_pass ${SERVICE_ADDRESS}:${port}; proxy_protocol on; } }`

/** Forwards requests with the visitor's address in a header. */
export const httpConfig = (port: number): string => `events {}
http {
  access_log off;
  client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;
  server {
    listen ${port};
    location / {
      proxy_pass http://${SERVICE_ADDRESS}:${port};
      proxy_http_version 1.1;
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection $http_connection;
    }
  }
}`

export async function startNginx(machine: Namespace, config: string): Promise<void> {
  const file = join(machine.directory, 'nginx.conf')
  const common = 'user root; worker_processes 1; daemon off; pid nginx.pid; error_log stderr notice;'
  await writeFile(file, `${common}\n${config}`)
  const program = machine.start(
    findNginx()?.program ?? '',
    ['-p', machine.directory, '-c', file, '-e', 'stderr'],
    {
      stdio: ['ignore', 'inherit', 'pipe'],
    },
  )
  await first(program, workerStarted(program.stderr))
}

async function workerStarted(log: NodeJS.ReadableStream | null): Promise<void> {
  let said = ''
  while (log && !said.includes('start worker process ')) said += String((await once(log, 'data'))[0])
  log?.resume()
}
