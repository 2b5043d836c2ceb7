import GRDB

/// The database schema. Migrations upgrade databases of older versions.
enum SandboxSchema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("first") { database in
            try database.execute(sql: devicesAndGroups)
            try database.execute(sql: conversationsAndMessages)
            try database.execute(sql: tokens)
        }
        migrator.registerMigration("attestation") { try $0.execute(sql: attestation) }
        migrator.registerMigration("apps and scopes") { try $0.execute(sql: appsAndScopes) }
        migrator.registerMigration("sign-in") { database in
            try database.execute(sql: admins)
            try database.execute(sql: tokenFamilies)
        }
        migrator.registerMigration("staff events") { try $0.execute(sql: staffEvents) }
        migrator.registerMigration("services") { try $0.execute(sql: services) }
        return migrator
    }

    private static let devicesAndGroups = """
        CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE deviceGroup (
            id TEXT PRIMARY KEY,
            unread INTEGER NOT NULL DEFAULT 0,
            version INTEGER NOT NULL DEFAULT 0
        ) WITHOUT ROWID;
        CREATE TABLE device (
            id TEXT PRIMARY KEY,
            groupID TEXT NOT NULL REFERENCES deviceGroup(id),
            token TEXT, tokenID TEXT,
            name TEXT, joinedAt INTEGER NOT NULL, isPrimary INTEGER NOT NULL DEFAULT 1,
            appVersion TEXT, osVersion TEXT, deviceModel TEXT,
            tier TEXT, paidUntil INTEGER
        ) WITHOUT ROWID;
        CREATE INDEX deviceByGroup ON device(groupID);
        CREATE TABLE pushAddress (
            deviceID TEXT NOT NULL, platform TEXT NOT NULL, token TEXT NOT NULL,
            bundleID TEXT, userID TEXT,
            PRIMARY KEY (deviceID, platform)
        ) WITHOUT ROWID;
        """

    /// `changed` is the number of the last event of a conversation. The number determines the order of
    /// conversations that have the same time.
    private static let conversationsAndMessages = """
        CREATE TABLE conversation (
            id TEXT PRIMARY KEY,
            groupID TEXT NOT NULL REFERENCES deviceGroup(id),
            deviceID TEXT NOT NULL, status TEXT NOT NULL, title TEXT,
            category TEXT NOT NULL, priority TEXT NOT NULL,
            userID TEXT, userName TEXT, adminID TEXT,
            createdAt INTEGER NOT NULL, updatedAt INTEGER NOT NULL, changed INTEGER NOT NULL,
            messageCount INTEGER NOT NULL DEFAULT 0, noteCount INTEGER NOT NULL DEFAULT 0,
            unreadCount INTEGER NOT NULL DEFAULT 0, readThrough INTEGER NOT NULL DEFAULT 0
        );
        CREATE INDEX conversationByGroup ON conversation(groupID, updatedAt, changed);
        CREATE INDEX conversationByAge ON conversation(updatedAt, changed);
        CREATE TABLE message (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            conversationID TEXT NOT NULL REFERENCES conversation(id),
            senderType TEXT NOT NULL, senderID TEXT, senderName TEXT, senderAvatarURL TEXT,
            text TEXT NOT NULL, isNote INTEGER NOT NULL DEFAULT 0, createdAt INTEGER NOT NULL
        );
        CREATE INDEX messageByConversation ON message(conversationID, number);
        CREATE TABLE tag (
            id TEXT PRIMARY KEY,
            conversationID TEXT NOT NULL REFERENCES conversation(id),
            name TEXT NOT NULL, color TEXT,
            UNIQUE (conversationID, name)
        ) WITHOUT ROWID;
        CREATE TABLE event (
            number INTEGER PRIMARY KEY, groupID TEXT NOT NULL, type TEXT NOT NULL, body BLOB NOT NULL
        );
        CREATE INDEX eventByGroup ON event(groupID, number);
        CREATE TABLE cannedResponse (
            id TEXT PRIMARY KEY, title TEXT NOT NULL, content TEXT NOT NULL, category TEXT,
            createdAt INTEGER NOT NULL
        );
        """

    private static let tokens = """
        CREATE TABLE answer (
            owner TEXT NOT NULL, key TEXT NOT NULL, fingerprint BLOB NOT NULL,
            status INTEGER NOT NULL, body BLOB NOT NULL, createdAt INTEGER NOT NULL,
            PRIMARY KEY (owner, key)
        ) WITHOUT ROWID;
        CREATE INDEX answerByAge ON answer(createdAt);
        CREATE TABLE adminToken (
            token TEXT PRIMARY KEY, kind TEXT NOT NULL, expiresAt INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE linkOffer (
            token TEXT PRIMARY KEY, deviceID TEXT NOT NULL, expiresAt INTEGER NOT NULL,
            confirmedAt INTEGER, groupID TEXT, targetID TEXT, targetName TEXT
        ) WITHOUT ROWID;
        CREATE TABLE feedbackToken (
            token TEXT PRIMARY KEY, deviceID TEXT NOT NULL, expiresAt INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE activity (
            at INTEGER NOT NULL, hashedDeviceID TEXT NOT NULL, body TEXT NOT NULL
        );
        """

    /// Older databases have no App IDs and no scopes: all data belonged to one app, and every token had all
    /// permissions. A token without scopes keeps all permissions.
    private static let appsAndScopes = """
        ALTER TABLE device ADD COLUMN appID TEXT NOT NULL DEFAULT '';
        ALTER TABLE conversation ADD COLUMN appID TEXT NOT NULL DEFAULT '';
        UPDATE device SET appID = coalesce((SELECT value FROM setting WHERE name = 'app_id'), '');
        UPDATE conversation SET appID = coalesce((SELECT value FROM setting WHERE name = 'app_id'), '');
        ALTER TABLE adminToken ADD COLUMN clientID TEXT;
        ALTER TABLE adminToken ADD COLUMN scopes TEXT;
        CREATE TABLE credential (
            clientID TEXT PRIMARY KEY, secret TEXT NOT NULL, name TEXT NOT NULL, scopes TEXT NOT NULL,
            createdAt INTEGER NOT NULL
        ) WITHOUT ROWID;
        """

    /// The assertion counters of a key are kept when its attestation is deleted, because otherwise old
    /// assertions could be replayed after a new attestation with the same key.
    private static let attestation = """
        CREATE TABLE attestationChallenge (
            deviceID TEXT PRIMARY KEY, challenge TEXT NOT NULL, expiresAt INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE attestation (
            deviceID TEXT PRIMARY KEY, id TEXT NOT NULL, keyID TEXT NOT NULL, key BLOB NOT NULL,
            environment TEXT NOT NULL, createdAt INTEGER NOT NULL, lastAssertionAt INTEGER
        ) WITHOUT ROWID;
        CREATE TABLE assertionWindow (
            keyID TEXT PRIMARY KEY, highest INTEGER NOT NULL, used INTEGER NOT NULL
        ) WITHOUT ROWID;
        """

    private static let admins = """
        CREATE TABLE admin (
            id TEXT PRIMARY KEY, subject TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
            email TEXT NOT NULL UNIQUE, isEmailVerified INTEGER NOT NULL, password TEXT NOT NULL,
            createdAt INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE browserSession (
            cookie TEXT PRIMARY KEY, formToken TEXT NOT NULL, adminID TEXT,
            authenticatedAt INTEGER NOT NULL, expiresAt INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE mailedCode (
            code TEXT PRIMARY KEY, adminID TEXT NOT NULL, purpose TEXT NOT NULL, expiresAt INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE authorizationCode (
            code TEXT PRIMARY KEY, clientID TEXT NOT NULL, redirect TEXT NOT NULL, scopes TEXT NOT NULL,
            challenge TEXT NOT NULL, nonce TEXT, adminID TEXT NOT NULL, authenticatedAt INTEGER NOT NULL,
            expiresAt INTEGER NOT NULL, family TEXT
        ) WITHOUT ROWID;
        CREATE TABLE deviceAuthorization (
            deviceCode TEXT PRIMARY KEY, userCode TEXT NOT NULL UNIQUE, clientID TEXT NOT NULL,
            scopes TEXT NOT NULL, interval INTEGER NOT NULL, polledAt INTEGER,
            state TEXT NOT NULL DEFAULT 'waiting', adminID TEXT, authenticatedAt INTEGER,
            expiresAt INTEGER NOT NULL
        ) WITHOUT ROWID;
        """

    /// All tokens of a sign-in form a family. The access token and the refresh token of one response form a
    /// pair. The `parent` of a pair is the refresh token that was exchanged for the pair. Each token from
    /// before this migration becomes a separate family.
    private static let tokenFamilies = """
        CREATE TABLE signIn (
            id TEXT PRIMARY KEY, adminID TEXT NOT NULL, clientID TEXT NOT NULL,
            authenticatedAt INTEGER NOT NULL
        ) WITHOUT ROWID;
        ALTER TABLE adminToken ADD COLUMN family TEXT NOT NULL DEFAULT '';
        ALTER TABLE adminToken ADD COLUMN pair TEXT NOT NULL DEFAULT '';
        ALTER TABLE adminToken ADD COLUMN parent TEXT;
        ALTER TABLE adminToken ADD COLUMN isSpent INTEGER NOT NULL DEFAULT 0;
        UPDATE adminToken SET family = token, pair = token;
        CREATE INDEX adminTokenByFamily ON adminToken(family);
        CREATE INDEX adminTokenByParent ON adminToken(parent);
        """

    /// `staffBody` is the JSON of the event for admins; NULL if admins do not receive the event.
    /// `staffUpdatedAt` and `staffChanged` include notes, which only admins see.
    private static let staffEvents = """
        ALTER TABLE event ADD COLUMN staffBody BLOB;
        ALTER TABLE conversation ADD COLUMN staffUpdatedAt INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE conversation ADD COLUMN staffChanged INTEGER NOT NULL DEFAULT 0;
        UPDATE conversation SET staffUpdatedAt = updatedAt, staffChanged = changed;
        DROP INDEX conversationByAge;
        CREATE INDEX conversationByStaffAge ON conversation(staffUpdatedAt, staffChanged);
        """

    /// The `parent` of an app's grant is the grant of its client; NULL for the grant of a client. Used
    /// assertions are stored to prevent replays.
    private static let services = """
        CREATE TABLE serviceGrant (
            id TEXT PRIMARY KEY, parent TEXT, clientID TEXT NOT NULL, subject TEXT NOT NULL, appID TEXT,
            keyX TEXT NOT NULL, keyY TEXT NOT NULL, scopes TEXT NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX serviceGrantByParent ON serviceGrant(parent);
        CREATE TABLE serviceToken (
            token TEXT PRIMARY KEY, kind TEXT NOT NULL, grantID TEXT NOT NULL, expiresAt INTEGER NOT NULL,
            isSpent INTEGER NOT NULL DEFAULT 0
        ) WITHOUT ROWID;
        CREATE INDEX serviceTokenByGrant ON serviceToken(grantID);
        CREATE TABLE usedAssertion (
            issuer TEXT NOT NULL, id TEXT NOT NULL, expiresAt INTEGER NOT NULL, PRIMARY KEY (issuer, id)
        ) WITHOUT ROWID;
        CREATE TABLE announcedService (link TEXT PRIMARY KEY, document BLOB NOT NULL) WITHOUT ROWID;
        """
}
