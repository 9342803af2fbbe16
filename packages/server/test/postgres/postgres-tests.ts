/** Tests that depend on the database and run on both engines, without those about one engine or no database. */
const on = (pattern: string): string => `packages/server/${pattern}`

export const POSTGRES_TESTS = {
  include: [
    'src/{account,cli,compat,history,management,store}/**/*.test.ts',
    'src/jobs/{back-tests,decision-back-test,decision-changes,rescore,rollups}/**/*.test.ts',
    'src/{auth/{assistants/registration,assistants/requests,login-steps,sessions,sign-in-record},jobs/patterns/run-patterns,mcp/{decision-tools,mcp},telemetry/metrics,visit/pipeline}.test.ts',
    'test/{account,contract,postgres}/**/*.test.ts',
    'test/security/{authorisation,hostile-bodies,injection,roles,silent-errors,tenant-isolation}.test.ts',
    'test/attacks/{beacon-lockout,claimed-accounts,declared-agents,deep-offsets,disk-budget,erasure,ipv6-rotation,limit-keys,narrowed-origins,poisoning,replay,sealed-verdicts,sign-in,stolen-storage}.test.ts',
    'test/{alerts,assistants,change-feed,cold-storage,decide,device-changes,domain-rules,follow-up,lists-and-labels,log-privacy,main-job}.test.ts',
  ].map(on),
  exclude: [
    // The embedded database's threads and tables.
    'src/store/sqlite/**',
    'src/store/migrate.test.ts',
    'src/cli/backup.test.ts',
    // No database.
    'src/cli/{exit-status,feeds}.test.ts',
    'src/compat/{legacy-search,raw-path}.test.ts',
  ].map(on),
}
