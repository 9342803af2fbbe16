import { addFirstOwner, type FirstLogin } from '../auth/first-owner.ts'
import { type DomainKeys, registerDomain } from '../auth/register-domain.ts'
import { saveDemoKeys } from '../demo/demo-keys.ts'
import { domainStore } from '../store/domains/domains.ts'
import { openStore, type StorePlace } from '../store/open-store.ts'
import { userStore } from '../store/users/users.ts'

const FIRST_DOMAIN = 'localhost'

export interface FirstRun {
  keys: DomainKeys
  /** Undefined where somebody can sign in already. */
  login: FirstLogin | undefined
}

/** Without any domain there is nothing to serve: the first one is made, with its demo and its owner. */
export async function firstRun(place: StorePlace): Promise<FirstRun | undefined> {
  const store = await openStore(place)
  try {
    const users = await userStore(store.reads).list()
    if ((await domainStore(store.reads).list()).length > 0) {
      if (users.length === 0) console.log(HOW_TO_SIGN_IN)
      return undefined
    }
    const keys = await registerDomain(store, FIRST_DOMAIN, Date.now())
    if (!keys) return undefined
    await saveDemoKeys(place.dataDir, keys)
    return { keys, login: users.length === 0 ? await addFirstOwner(store, Date.now()) : undefined }
  } finally {
    await store.close()
  }
}

const HOW_TO_SIGN_IN = 'nobody can sign in to the dashboard yet: npx inkling user add EMAIL'

export function showFirstRun({ keys, login }: FirstRun): void {
  console.log(`
Inkling made the domain ${keys.domain}. Its keys are shown only now:

  public key       ${keys.public_key}
  private API key  ${keys.api_key}
  secret key       ${keys.secret_key}
`)
  if (login)
    console.log(`Sign in to the dashboard with this login, which is shown only now:

  e-mail           ${login.email}
  password         ${login.password}
`)
}
