-- A history in tables. Instants and lengths are in ticks of the clock unit that
-- meta names. A sequence is the number of an event, from 1.
--
-- A moment is the place of an effect in the history: its event's sequence times
-- 10,000,000 and its number among that event's effects, from 1. Moments are in the
-- order in which things happened, also where instants are equal.
--
-- What began before the first event of a compacted journal has no moment and no
-- event at its beginning; its instant there is that of the snapshot.

CREATE TABLE meta (
  name  TEXT PRIMARY KEY,
  value ANY NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE events (
  sequence    INTEGER PRIMARY KEY,
  instant     INTEGER,          -- the operation's ts; NULL if none that counts (R23)
  clock       INTEGER,          -- of the state after it; NULL before the first instant
  operation   TEXT NOT NULL,    -- acquire … repeat, or invalid
  client      TEXT,
  lock        TEXT,
  key         TEXT,
  value       TEXT,
  token       INTEGER,
  ttl         INTEGER,
  mode        TEXT,             -- exclusive or shared
  count       INTEGER,          -- of a repeat (R27), as step and template
  step        INTEGER,
  template    TEXT,
  op          TEXT NOT NULL,    -- the operation, JSON
  answer      TEXT NOT NULL,    -- by the rules, JSON
  answer_kind TEXT NOT NULL,    -- granted, queued, … value, null, view, tally, or the refusal
  fingerprint TEXT NOT NULL,    -- of the state after it, by the rules
  recorded             TEXT,    -- the answer that was recorded, JSON
  recorded_sha256      TEXT,    -- of one so long that a journal keeps no more of it
  recorded_fingerprint TEXT,    -- if it is not the one by the rules
  another_service INTEGER NOT NULL CHECK (another_service IN (0, 1)), -- gave the recorded answer
  clamped         INTEGER NOT NULL CHECK (clamped IN (0, 1)),         -- to the clock, by import
  differs         INTEGER NOT NULL CHECK (differs IN (0, 1))          -- what was recorded from the rules
) STRICT;

CREATE TABLE effects (
  moment     INTEGER PRIMARY KEY,
  sequence   INTEGER NOT NULL REFERENCES events (sequence),
  kind       TEXT NOT NULL,     -- granted, queued, … refused: docs/rules.md, Effects
  instant    INTEGER NOT NULL,
  lock       TEXT,
  client     TEXT,
  mode       TEXT,
  token      INTEGER,
  expires_at INTEGER,
  position   INTEGER,
  key        TEXT,
  cause      TEXT,
  refusal    TEXT
) STRICT;

-- A lease was in force from granted_at up to, not including, ended_at (R2).
CREATE TABLE leases (
  lock           TEXT NOT NULL,
  token          INTEGER NOT NULL,
  client         TEXT NOT NULL,
  mode           TEXT NOT NULL,
  granted_at     INTEGER NOT NULL,
  granted_by     INTEGER REFERENCES events (sequence), -- the event that brought it to light
  granted_moment INTEGER REFERENCES effects (moment),
  cause          TEXT,             -- why the lock was free: free, expiry, release, withdrawal, abort
  ended_at       INTEGER,          -- NULL while it is in force
  ended_by       INTEGER REFERENCES events (sequence),
  ended_moment   INTEGER REFERENCES effects (moment),
  end_cause      TEXT,             -- expiry, release, abort
  expires_at     INTEGER NOT NULL, -- the end that was promised last
  renewals       INTEGER NOT NULL
) STRICT;

CREATE TABLE renewals (
  moment         INTEGER PRIMARY KEY REFERENCES effects (moment),
  sequence       INTEGER NOT NULL REFERENCES events (sequence),
  instant        INTEGER NOT NULL,
  lock           TEXT NOT NULL,
  token          INTEGER NOT NULL,
  client         TEXT NOT NULL,
  expires_before INTEGER NOT NULL,
  expires_at     INTEGER NOT NULL, -- the new end; it may be the earlier one
  FOREIGN KEY (lock, token) REFERENCES leases (lock, token)
) STRICT;

-- A request stood in the queue from queued_at up to, not including, ended_at.
CREATE TABLE waits (
  lock          TEXT NOT NULL,
  client        TEXT NOT NULL,
  mode          TEXT NOT NULL,
  position      INTEGER NOT NULL,  -- in the queue when it joined, from 1
  queued_at     INTEGER NOT NULL,
  queued_by     INTEGER REFERENCES events (sequence),
  queued_moment INTEGER REFERENCES effects (moment),
  ended_at      INTEGER,           -- NULL while it waits
  ended_by      INTEGER REFERENCES events (sequence),
  ended_moment  INTEGER REFERENCES effects (moment),
  ending        TEXT,              -- granted, withdrawn, aborted
  token         INTEGER,           -- of the lease, if it was granted
  FOREIGN KEY (lock, token) REFERENCES leases (lock, token)
) STRICT;

-- Writes whose arguments were right, those of the runs of repeats included.
CREATE TABLE writes (
  moment   INTEGER PRIMARY KEY REFERENCES effects (moment),
  sequence INTEGER NOT NULL REFERENCES events (sequence),
  instant  INTEGER NOT NULL,
  lock     TEXT NOT NULL,
  key      TEXT NOT NULL,
  value    TEXT NOT NULL,
  token    INTEGER NOT NULL,
  accepted INTEGER NOT NULL CHECK (accepted IN (0, 1)),
  refusal  TEXT,
  standing TEXT,     -- of the token: lease in force, lease over, never granted; NULL if the clock had gone back
  holder   TEXT      -- whose lease in force had the token
) STRICT;

-- Requests that closed a cycle of the wait-for graph (R17).
CREATE TABLE deadlocks (
  moment    INTEGER PRIMARY KEY REFERENCES effects (moment), -- when the request joined the queue
  sequence  INTEGER NOT NULL REFERENCES events (sequence),
  instant   INTEGER NOT NULL,
  requester TEXT NOT NULL,
  lock      TEXT NOT NULL,
  members   INTEGER NOT NULL,
  victims   INTEGER NOT NULL,
  ending    TEXT NOT NULL  -- what became of the request: granted, aborted, waiting
) STRICT;

-- The clients on its cycles, each of which waited, as it stood before the first abort.
CREATE TABLE deadlock_members (
  deadlock  INTEGER NOT NULL REFERENCES deadlocks (moment),
  age       INTEGER NOT NULL,
  client    TEXT NOT NULL,
  waits_for TEXT NOT NULL, -- a lock
  place     INTEGER NOT NULL,
  PRIMARY KEY (deadlock, age)
) STRICT, WITHOUT ROWID;

-- The victims (R18, R19).
CREATE TABLE aborts (
  moment   INTEGER PRIMARY KEY REFERENCES effects (moment),
  sequence INTEGER NOT NULL REFERENCES events (sequence),
  instant  INTEGER NOT NULL,
  deadlock INTEGER NOT NULL REFERENCES deadlocks (moment),
  number   INTEGER NOT NULL, -- among its victims, from 1
  client   TEXT NOT NULL,
  age      INTEGER NOT NULL REFERENCES clients (age),
  leases   INTEGER NOT NULL  -- that it lost
) STRICT;

-- Registrations (R15). A client that acquires again after an abort has another one.
CREATE TABLE clients (
  age               INTEGER PRIMARY KEY,
  client            TEXT NOT NULL,
  registered_at     INTEGER NOT NULL,
  registered_by     INTEGER REFERENCES events (sequence),
  registered_moment INTEGER REFERENCES effects (moment),
  aborted_at        INTEGER,
  aborted_by        INTEGER REFERENCES events (sequence),
  aborted_moment    INTEGER REFERENCES effects (moment),
  leases            INTEGER NOT NULL, -- granted in it, by the events that are here
  waits             INTEGER NOT NULL
) STRICT;
