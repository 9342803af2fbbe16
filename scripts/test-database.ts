import { run } from './run.ts'

/**
 * `npm run test:database -- postgres://…`: runs the tests of the server that need a database on yours, whose user may
 * create databases. On the coordinator of a Citus cluster each test's tables are split over the workers.
 */
const [url] = process.argv.slice(2)
if (url === undefined || !/^postgres(ql)?:/.test(url)) {
  console.error('usage: npm run test:database -- postgres://administrator@host:port/database')
  process.exit(2)
}
process.env.TEST_DATABASE_URL = url
const COMMANDS = [
  ['node', 'scripts/build.ts'],
  ['vitest', 'run', '--project', 'postgres'],
] as const
for (const [program, ...rest] of COMMANDS) {
  const { ok } = await run(`node_modules/.bin/${program}`, rest, { show: true })
  if (!ok) process.exit(1)
}
