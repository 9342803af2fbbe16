interface ErrorEntry {
  /** HTTP status; none for an error that only the command line or the log shows. */
  status?: number
  /** What the caller reads unless the place that fails says more. */
  text: string
  /** What went wrong. */
  meaning: string
  /** What to do about it. */
  remedy: string
}

/** Every way in which Inkling fails. `docs/errors.md` is generated from it. */
export const ERRORS = {
  INK_UNREADABLE_REQUEST: {
    status: 400,
    text: 'the request could not be read',
    meaning: 'The HTTP request is malformed, has an unsupported type, took too long or broke off.',
    remedy: 'Check what sends it, and any proxy in between.',
  },
  INK_INVALID_FIELD: {
    status: 400,
    text: 'invalid request',
    meaning: 'A parameter or a field of the body is missing, malformed or out of range; the text names it.',
    remedy: 'Correct the field; the API reference has its schema.',
  },
  INK_INVALID_BODY: {
    status: 400,
    text: 'body is not valid JSON',
    meaning: 'The body is not JSON, not an object, or nested too deep.',
    remedy: 'Send a JSON object with `Content-Type: application/json`.',
  },
  INK_UNDECRYPTABLE_BODY: {
    status: 400,
    text: 'body could not be decrypted',
    meaning: 'An encrypted body does not open with the server’s key and the request ID of its URL.',
    remedy:
      'Reload the page, so that it gets the agent of this server; never send a body under another request ID.',
  },
  INK_INVALID_WEBHOOK_URL: {
    status: 400,
    text: 'the webhook URL is not a URL',
    meaning: 'A webhook URL is malformed, is not `https`, or carries credentials.',
    remedy: 'Use an `https` URL; `WEBHOOK_ALLOW_PRIVATE=true` admits `http` for tests.',
  },
  INK_INVALID_CURSOR: {
    status: 400,
    text: 'cursor: not a cursor of this list',
    meaning: 'A cursor was changed or belongs to another list.',
    remedy: 'Pass `next` of the page before as it is, or start again without a cursor.',
  },
  INK_UNKNOWN_PUBLIC_KEY: {
    status: 401,
    text: 'unknown public key',
    meaning: 'No enabled domain has the Public Key that the agent sent.',
    remedy: 'Copy the key from the dashboard, and check that the domain is enabled.',
  },
  INK_FOREIGN_PAGE: {
    status: 401,
    text: 'the page does not belong to the domain of the public key',
    meaning:
      'The page’s host is neither the key’s domain nor a subdomain of it, its origin is not among those that the domain names, the request names no page, or something else than a script asked for a ticket.',
    remedy:
      'Register the host as a domain and use its key, or add the origin under Domains and keys; a sandboxed frame needs `allow-same-origin`.',
  },
  INK_INVALID_API_KEY: {
    status: 401,
    text: 'invalid api key',
    meaning:
      'The History API was called without a valid Private API Key or named key; or a named key has expired or was revoked.',
    remedy: 'Send `Authorization: Bearer` with a key of an enabled domain.',
  },
  INK_INVALID_SECRET_KEY: {
    status: 401,
    text: 'invalid credentials',
    meaning: 'The Management API was called without the name and Secret Key of an enabled domain.',
    remedy:
      'Check the domain header and the Secret Key; the answer is empty and does not say which is wrong.',
  },
  INK_INVALID_TOKEN: {
    status: 401,
    text: 'missing or invalid access token',
    meaning: 'The access token is missing, forged or expired, or its session has ended.',
    remedy: 'Refresh the session or sign in again.',
  },
  INK_SESSION_ENDED: {
    status: 401,
    text: 'the session has ended',
    meaning: 'The refresh cookie is missing, was replaced more than a minute ago, or its session has ended.',
    remedy: 'Sign in again.',
  },
  INK_WRONG_PASSWORD: {
    status: 401,
    text: 'e-mail address or password is wrong',
    meaning: 'No user has this e-mail address with this password.',
    remedy: 'Try again; an owner can make a link for a new password, and `inkling user password` sets one.',
  },
  INK_WRONG_FACTOR: {
    status: 401,
    text: 'the code or the passkey is wrong',
    meaning: 'A second factor is wrong, was used before, or a passkey does not belong to this site.',
    remedy: 'Wait for the next code and check the clock of the phone; a recovery code works too.',
  },
  INK_STEP_ENDED: {
    status: 401,
    text: 'this sign-in took too long or was used already; begin again',
    meaning: 'The steps of a sign-in belong together, work once and end after ten minutes.',
    remedy: 'Begin again, in the same browser.',
  },
  INK_PROVIDER_REFUSED: {
    status: 401,
    text: 'the identity provider did not confirm the login',
    meaning:
      'The OpenID Connect provider refused, its answer does not belong to this sign-in, or the person may not sign in here.',
    remedy: 'Begin again; the text and the log have the cause. An owner can invite the address.',
  },
  INK_PROOF_NEEDED: {
    status: 403,
    text: 'confirm who you are first',
    meaning:
      'Keys, webhook endpoints, receivers of alerts, exports, erasures, assistants, and changes to users and roles need a proof of identity from the last five minutes.',
    remedy: 'Call `proveIdentity`, or sign in again.',
  },
  INK_WRONG_PROOF: {
    status: 403,
    text: 'the password or the passkey is wrong',
    meaning: 'A signed-in user did not prove who they are.',
    remedy: 'Try again.',
  },
  INK_WRONG_SCOPE: {
    status: 403,
    text: 'this key has no scope for that',
    meaning:
      'An API key is valid, but not made for this route; the text names the scope. Some scopes are for named keys only.',
    remedy: 'Make a named key with the scope. The scopes of a key do not change.',
  },
  INK_OWNER_ONLY: {
    status: 403,
    text: 'only an owner may do this',
    meaning:
      'It concerns the whole installation, or somebody else’s view, and the signed-in user is no owner.',
    remedy: 'Ask an owner.',
  },
  INK_ROLE: {
    status: 403,
    text: 'your role does not allow this',
    meaning: 'The signed-in user can see the domain, but lacks the right that the operation needs.',
    remedy: 'Ask an owner of the domain or of the installation for another role.',
  },
  INK_CROSS_ORIGIN: {
    status: 403,
    text: 'the request comes from another origin',
    meaning: 'A page of another origin tried to sign in, refresh or sign out.',
    remedy: 'Open the dashboard under its public URL; behind a proxy, set `MANAGEMENT_URL` to that URL.',
  },
  INK_NOT_FOUND: {
    status: 404,
    text: 'not found',
    meaning: 'The object that the text names does not exist, or belongs to another domain.',
    remedy: 'Check the identifier.',
  },
  INK_DOMAIN_EXISTS: {
    status: 409,
    text: 'the domain is registered already',
    meaning: 'A domain of this name is registered.',
    remedy: 'Use the registered domain; replace its keys if they are lost.',
  },
  INK_API_KEY_EXISTS: {
    status: 409,
    text: 'another key has this name',
    meaning: 'The domain has a named API key of this name.',
    remedy: 'Take another name, or rotate that key.',
  },
  INK_USER_EXISTS: {
    status: 409,
    text: 'the e-mail address is in use',
    meaning: 'Another user has this e-mail address.',
    remedy: 'Change that user, or take another address.',
  },
  INK_INVITED_ELSEWHERE: {
    status: 409,
    text: 'the e-mail address was invited elsewhere; ask an owner of the installation',
    meaning:
      'The address has an open invitation outside the domain, or an account that an owner of another domain made, so that nobody has confirmed whose it is.',
    remedy: 'An owner of the installation gives the role, or withdraws the invitation.',
  },
  INK_SECOND_FACTOR: {
    status: 409,
    text: 'the second factor is in another state',
    meaning: 'The authenticator app or the passkey is in use already, or there is no second factor.',
    remedy: 'Read what is in use with `getSecurity`.',
  },
  INK_LAST_OWNER: {
    status: 409,
    text: 'at least one owner must remain',
    meaning: 'The change would leave nobody who can manage users.',
    remedy: 'Make another user an owner first.',
  },
  INK_TOO_MANY_ENTRIES: {
    status: 409,
    text: 'too many entries',
    meaning:
      'The lists, the labels, the decision rules, the receivers of alerts, the rules for alerts, the named keys, the webhook endpoints or the open invitations of the domain, the views of a user, or what assistants propose would be more than are allowed.',
    remedy: 'Remove what is no longer needed, and let entries expire.',
  },
  INK_CASE_STATE: {
    status: 409,
    text: 'the case is in another state',
    meaning: 'The case is closed or was decided otherwise, or its subject has another open case.',
    remedy: 'Read the case again.',
  },
  INK_FEEDS_UPDATING: {
    status: 409,
    text: 'an update is running',
    meaning: 'The feeds are being downloaded.',
    remedy: 'Wait until it is done.',
  },
  INK_BACK_TEST_RUNNING: {
    status: 409,
    text: 'a back-test of this domain is running',
    meaning: 'A domain runs one back-test at a time.',
    remedy: 'Wait for it or cancel it.',
  },
  INK_ROUTE_ENDED: {
    status: 410,
    text: 'this endpoint ended on 2027-01-01, use the History API',
    meaning: 'The deprecated search of the Management API has ended.',
    remedy: 'Use the History API.',
  },
  INK_BODY_TOO_LARGE: {
    status: 413,
    text: 'body is larger than 512 KB',
    meaning: 'The body exceeds the limit that all surfaces share.',
    remedy: 'Send less.',
  },
  INK_RATE_LIMITED: {
    status: 429,
    text: 'too many requests',
    meaning:
      'The domain, for the Management API the client address, or an assistant exceeded its rate limit. Pings, test events and test messages of a domain have one together.',
    remedy: 'Wait for the next window; ask for less, or less often.',
  },
  INK_TOO_MANY_LOGINS: {
    status: 429,
    text: 'too many attempts to sign in',
    meaning: 'This address failed to sign in too often, or this account from devices that it does not know.',
    remedy:
      'Wait: a minute for the address, a quarter of an hour for the account. A passkey and a device that signed in before still work.',
  },
  INK_INVALID_SEARCH: {
    status: 500,
    text: 'malformed search value',
    meaning: 'A History search has a malformed UUID or IPv4 address. Older clients rely on the status.',
    remedy: 'Correct the value; repeating the request does not help.',
  },
  INK_INTERNAL: {
    status: 500,
    text: 'internal server error',
    meaning: 'A bug, or a failure that nothing else in this list describes. The log has the cause.',
    remedy: 'Report it with the log line.',
  },
  INK_SERVER_BUSY: {
    status: 503,
    text: 'server is busy',
    meaning: 'As many requests as may run at once are running.',
    remedy: 'Retry later; if it lasts, see the sizing in the deployment guide.',
  },
  INK_PROVIDER_UNREACHABLE: {
    status: 503,
    text: 'the identity provider cannot be reached',
    meaning: 'The OpenID Connect provider at `OIDC_ISSUER` does not answer, or not as one.',
    remedy: 'Check the setting and the connection; the log has the cause. Passwords still work.',
  },
  INK_DISK_BUDGET: {
    status: 503,
    text: 'server is busy',
    meaning: 'What is stored has reached its disk budget, or the disk is nearly full. Visits are refused.',
    remedy: 'Raise `DISK_BUDGET_MB` or the budget of the domain, lower `RETENTION_DAYS`, or free disk space.',
  },
  INK_DATABASE_UNAVAILABLE: {
    status: 503,
    text: 'server is busy',
    meaning:
      'The database is down, locked, full or restarting. The log has the cause; a start and a command tell it.',
    remedy: 'Retry later; check the disk, or `DATABASE_URL` and the connection to PostgreSQL.',
  },
  INK_COLD_STORAGE: {
    status: 503,
    text: 'the cold storage does not respond',
    meaning:
      'The snapshot or the event of an old visit is needed, and the storage at `COLD_STORAGE_URL` does not respond, refuses the key, or is not set. Nothing is lost.',
    remedy: 'Retry later; `inkling doctor` and the log have the cause.',
  },
  INK_CONFIG: {
    text: 'settings are wrong',
    meaning: 'An environment variable has a value that cannot be used; the text lists every one.',
    remedy: 'Correct them; the configuration guide describes each setting.',
  },
  INK_FEEDS_FILE: {
    text: 'the feeds file cannot be used',
    meaning: 'The file that `FEEDS` names is missing, is not JSON, or describes a feed that cannot be used.',
    remedy: 'Correct the entries that the text names.',
  },
  INK_AGENTS_FILE: {
    text: 'the agents file cannot be used',
    meaning:
      'The file that `AGENTS` names is missing, is not JSON, or describes an agent that cannot be used.',
    remedy: 'Correct the entries that the text names.',
  },
  INK_RULES_FILE: {
    text: 'the rules file cannot be used',
    meaning:
      'The file with weights for `inkling rescore` is missing, is not JSON, or names an unknown weight.',
    remedy: 'Correct the file; the tuning guide shows one.',
  },
  INK_BACKUP: {
    text: 'the backup failed',
    meaning: 'A backup or a restore was stopped before it changed anything, or its copy is damaged.',
    remedy: 'Do as the text says; a restore needs an empty data directory.',
  },
  INK_DATA_DIR: {
    text: 'the data directory is damaged',
    meaning:
      'Files of `DATA_DIR` are missing, damaged, or belong to different installations; the text names them. Nothing was changed.',
    remedy: 'Do as the text says; restoring a backup needs an empty directory.',
  },
  INK_MOVE: {
    text: 'the move failed',
    meaning: 'A move to PostgreSQL was stopped: the target is in use, is not empty, or holds other rows.',
    remedy: 'Empty the target and start again; the source is unchanged.',
  },
  INK_COMMAND: {
    text: 'the command cannot be done',
    meaning: 'The command line was asked for something that does not exist or cannot be done now.',
    remedy: 'Do as the text says.',
  },
} as const satisfies Record<`INK_${string}`, ErrorEntry>

export type ErrorCode = keyof typeof ERRORS

/** A failure whose message its reader may see: the caller of an API, or the operator at the command line. */
export class AppError extends Error {
  readonly code: ErrorCode
  /** When the caller may try again; undefined when that is not known. */
  readonly retryAfterSeconds: number | undefined
  /** `options.cause` is for the log, never for the reader. */
  constructor(
    code: ErrorCode,
    message: string = ERRORS[code].text,
    options?: ErrorOptions & { retryAfterSeconds?: number },
  ) {
    super(message, options)
    this.code = code
    this.retryAfterSeconds = options?.retryAfterSeconds
  }
}

/** The code of an error in the list; undefined for anything else, whose message must not leave the server. */
export const errorCodeOf = (error: unknown): ErrorCode | undefined =>
  error instanceof AppError ? error.code : undefined
