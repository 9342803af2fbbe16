import { expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { listeningProblem } from './listening-problem.ts'

const config = readConfig({
  PORT: '80',
  ADMIN_PORT: '8081',
  METRICS_PORT: '9464',
  NODE_ADDRESS: 'node-1:7000',
})

const refused = (code: string, port: number, address = '10.0.0.7') =>
  Object.assign(new Error(`listen ${code}`), { code, port, address })

test.each([
  [80, 'PORT'],
  [8081, 'ADMIN_PORT'],
  [9464, 'METRICS_PORT'],
  [7000, 'NODE_ADDRESS'],
])('a taken port %i is told with %s', (port, setting) => {
  expect(listeningProblem(refused('EADDRINUSE', port), config)).toMatchObject({
    code: 'INK_CONFIG',
    message: `another program listens on port ${port}; stop it, or set ${setting} to a free one`,
  })
})

test('a port of the system and an address of another machine are told with what helps', () => {
  expect(listeningProblem(refused('EACCES', 80), config)).toMatchObject({
    message:
      'this user may not listen on port 80; set PORT to 1024 or more, or allow it (CAP_NET_BIND_SERVICE, as deploy/systemd does)',
  })
  expect(listeningProblem(refused('EADDRNOTAVAIL', 9464), config)).toMatchObject({
    message: 'this machine has no address 10.0.0.7; set METRICS_HOST to one that it has',
  })
})

test('whatever else fails at the start stays as it is', () => {
  for (const error of [new Error('disk full'), refused('ECONNREFUSED', 5432), 'thrown'])
    expect(listeningProblem(error, config)).toBe(error)
})
