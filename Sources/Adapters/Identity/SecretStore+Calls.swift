/// What is asked of the store from elsewhere.
extension SecretStore {
    /// The secret of that name; nil where there is none. `unavailable` where there is one in a keyring that
    /// is locked or gone: whoever can do without it may make a new one.
    public nonisolated func secret(_ name: SecretName) async throws(SecretFailure) -> Secret? {
        try await call { store, interruption throws(SecretFailure) in
            try store.find(name, interruption)
        }
    }

    /// Keeps `secret`, durably, in the place of what had its name.
    public nonisolated func keep(_ secret: Secret, as name: SecretName) async throws(SecretFailure) {
        try await call { store, interruption throws(SecretFailure) in
            try store.put(secret, name, interruption)
        }
    }

    /// Forgets the secret. One in a keyring that does not answer is deleted there later, and not found
    /// before.
    public nonisolated func delete(_ name: SecretName) async throws(SecretFailure) {
        try await call { store, interruption throws(SecretFailure) in
            try store.remove(name, interruption)
        }
    }

    /// Moves everything to where it is to be, as far as the secret service answers without a prompt. For the
    /// start and for now and then. What cannot be moved stays where it is, and works there.
    public nonisolated func settle() async throws(SecretFailure) {
        try await call { store, interruption throws(SecretFailure) in
            try store.moveAll(interruption)
        }
    }

    /// Where secrets are kept now. Asks the secret service, but not the person.
    public nonisolated func describe() async -> SecretPlace {
        let interruption = SecretService.Interruption()
        return await withTaskCancellationHandler {
            await place(interruption)
        } onCancel: {
            interruption.interrupt()
        }
    }

    private nonisolated func call<Value: Sendable>(
        _ work: @Sendable (isolated SecretStore, SecretService.Interruption) throws(SecretFailure) -> Value
    ) async throws(SecretFailure) -> Value {
        let interruption = SecretService.Interruption()
        let result = await withTaskCancellationHandler {
            await run(work, interruption)
        } onCancel: {
            interruption.interrupt()
        }
        return try result.get()
    }

    private func run<Value>(
        _ work: (isolated SecretStore, SecretService.Interruption) throws(SecretFailure) -> Value,
        _ interruption: SecretService.Interruption
    ) -> Result<Value, SecretFailure> {
        do { return .success(try work(self, interruption)) } catch { return .failure(error) }
    }
}
