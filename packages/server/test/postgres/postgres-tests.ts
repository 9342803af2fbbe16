/**
 * Tests whose promise depends on the database: they run on both engines. In their folders lie a few that ask
 * no database, and those about one engine, which are left out.
 */
const on = (pattern: string): string => `packages/server/${pattern}`

export const POSTGRES_TESTS = {
  include: [
    'src/{account,cli,history,management,rollups,store}/**/*.test.ts',
    'src/{auth/sessions,mcp/mcp,telemetry/metrics,patterns/run-patterns,pipeline}.test.ts',
    'test/{account,contract,postgres}/**/*.test.ts',
    'test/security/{authorisation,hostile-bodies,injection,silent-errors,tenant-isolation}.test.ts',
    'test/{browser-visit,domain-rules,follow-up,log-privacy,main-job}.test.ts',
  ].map(on),
  exclude: [
    // About the embedded database's own threads and tables.
    'src/store/sqlite/**',
    'src/store/devices.test.ts',
    'src/cli/backup.test.ts',
    // Ask no database.
    'src/account/entities.test.ts',
    'src/cli/feeds.test.ts',
    'src/management/{parse-legacy-search,present-profile}.test.ts',
  ].map(on),
}
