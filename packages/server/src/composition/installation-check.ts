export interface InstallationCheck {
  check: string
  ok: boolean
  /** What was found, or why the check failed. */
  detail: string
}

/** Runs one check; `run` returns the detail, or throws. */
export async function check(name: string, run: () => string | Promise<string>): Promise<InstallationCheck> {
  try {
    return { check: name, ok: true, detail: await run() }
  } catch (error) {
    return { check: name, ok: false, detail: error instanceof Error ? error.message : String(error) }
  }
}
