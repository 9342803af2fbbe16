/** A database that a test started, with a customer's client. */
export interface Opened<Client> {
  client: Client
  close(): Promise<void>
}
