using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "internet", network = (allow = ["private", "public"])),
  ],
  # The address is given on the command line.
  sockets = [(name = "http", http = (), service = "main")],
);

const worker :Workerd.Worker = (
  compatibilityDate = "2026-01-01",
  modules = [
    (name = "worker.mjs", esModule = embed "worker.mjs"),
    (name = "smoke.mjs", esModule = embed "smoke.mjs"),
    (name = "@inkling/sdk", esModule = embed "node_modules/@inkling/sdk/index.js"),
  ],
);
