CREATE INDEX events_by_client ON events (client, sequence);
CREATE INDEX events_by_lock ON events (lock, sequence);
CREATE INDEX events_by_clock ON events (clock);
CREATE INDEX events_that_differ ON events (sequence) WHERE differs;
CREATE INDEX effects_by_event ON effects (sequence);
CREATE INDEX effects_by_lock ON effects (lock, moment);
CREATE INDEX effects_by_client ON effects (client, moment);
CREATE UNIQUE INDEX leases_by_token ON leases (lock, token);
CREATE INDEX leases_by_start ON leases (lock, granted_at);
CREATE INDEX exclusive_leases_by_start ON leases (lock, granted_at) WHERE mode = 'exclusive';
CREATE INDEX leases_by_client ON leases (client, granted_at);
CREATE INDEX renewals_by_lease ON renewals (lock, token);
CREATE INDEX waits_by_lock ON waits (lock, queued_moment);
CREATE INDEX waits_by_client ON waits (client, queued_at);
CREATE INDEX writes_by_lock ON writes (lock, moment);
CREATE INDEX accepted_writes_by_lock ON writes (lock, moment) WHERE accepted;
CREATE INDEX members_by_client ON deadlock_members (client);
CREATE INDEX aborts_by_client ON aborts (client);
CREATE INDEX clients_by_name ON clients (client, age);

-- Where a recorded answer or state is not the one by the rules.
CREATE VIEW differences AS
  SELECT sequence, instant, op, answer, recorded, recorded_sha256, fingerprint, recorded_fingerprint, another_service
  FROM events WHERE differs ORDER BY sequence;

-- Who holds which lock after the last event.
CREATE VIEW held_now AS
  SELECT lock, client, mode, token, granted_at, expires_at
  FROM leases WHERE ended_at IS NULL ORDER BY lock, token;

-- Requests that had to wait, the longest first; those that still wait, up to now.
CREATE VIEW longest_waits AS
  SELECT coalesce(ended_at, (SELECT value FROM meta WHERE name = 'clock')) - queued_at AS length,
    lock, client, mode, position, queued_at, queued_by, ended_at, ended_by, coalesce(ending, 'waiting') AS ending, token
  FROM waits ORDER BY length DESC, queued_moment;

-- Stretches in which a queue was never empty, and was at least three long or gave
-- three leases. Those that go on have no end.
CREATE VIEW convoys AS
  WITH
    places AS (
      SELECT *, coalesce(queued_moment, 0) AS began, coalesce(ended_moment, 9223372036854775807) AS ended FROM waits),
    behind AS (
      SELECT *, max(ended) OVER (
        PARTITION BY lock ORDER BY began, position ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before FROM places),
    numbered AS (
      SELECT *, sum(before IS NULL OR before < began) OVER (PARTITION BY lock ORDER BY began, position) AS convoy FROM behind)
  SELECT lock, min(queued_at) AS began_at, min(queued_by) AS began_by,
    CASE count(*) - count(ended_at) WHEN 0 THEN max(ended_at) END AS ended_at,
    CASE count(*) - count(ended_at) WHEN 0 THEN max(ended_by) END AS ended_by,
    count(*) AS requests, count(*) FILTER (WHERE ending = 'granted') AS granted, max(position) AS longest_queue
  FROM numbered GROUP BY lock, convoy
  HAVING longest_queue >= 3 OR granted >= 3
  ORDER BY coalesce(ended_at, (SELECT value FROM meta WHERE name = 'clock')) - began_at DESC, lock, began_at;

-- Writes that the store refused because of their token (R6), whose it was, and
-- which write had made it stale.
CREATE VIEW stale_writes AS
  SELECT w.sequence, w.instant, w.lock, w.key, w.value, w.token, w.standing,
    l.client, l.ended_at, l.end_cause, w.instant - l.ended_at AS late_by,
    f.token AS fenced_token, f.sequence AS fenced_by, h.client AS fenced_client
  FROM writes AS w
    LEFT JOIN leases AS l ON l.lock = w.lock AND l.token = w.token AND l.granted_moment < w.moment
    LEFT JOIN writes AS f ON f.moment = (
      SELECT moment FROM writes WHERE lock = w.lock AND accepted AND moment < w.moment ORDER BY moment DESC LIMIT 1)
    LEFT JOIN leases AS h ON h.lock = f.lock AND h.token = f.token AND h.granted_moment < f.moment
  WHERE w.refusal = 'error: stale token' ORDER BY w.moment;

-- Writes with the token of a lease that was over, which the store took, because
-- nobody had written with a newer one.
CREATE VIEW late_accepted_writes AS
  SELECT w.sequence, w.instant, w.lock, w.key, w.value, w.token,
    l.client, l.ended_at, l.end_cause, w.instant - l.ended_at AS late_by
  FROM writes AS w LEFT JOIN leases AS l ON l.lock = w.lock AND l.token = w.token
  WHERE w.accepted AND w.standing = 'lease over' ORDER BY w.moment;

-- Two leases of one lock at once of which one is exclusive (R9). This and the next
-- view are checks by other means: they are empty.
CREATE VIEW overlapping_leases AS
  SELECT a.lock, a.client AS holder, a.mode AS holder_mode, a.token AS holder_token, a.granted_at AS held_from, a.ended_at AS held_to,
    b.client, b.mode, b.token, b.granted_at, b.ended_at
  FROM leases AS a JOIN leases AS b ON b.lock = a.lock AND b.token <> a.token
    AND b.granted_at BETWEEN a.granted_at AND coalesce(a.ended_at - 1, 9223372036854775807)
    AND (b.granted_at > a.granted_at OR b.token > a.token)
  WHERE a.mode = 'exclusive'
  UNION ALL
  SELECT a.lock, a.client, a.mode, a.token, a.granted_at, a.ended_at,
    b.client, b.mode, b.token, b.granted_at, b.ended_at
  FROM leases AS a JOIN leases AS b ON b.lock = a.lock AND b.token <> a.token
    AND b.granted_at BETWEEN a.granted_at AND coalesce(a.ended_at - 1, 9223372036854775807)
    AND (b.granted_at > a.granted_at OR b.token > a.token)
  WHERE a.mode = 'shared' AND b.mode = 'exclusive';

-- Tokens of a lock that do not follow the one before, or that went down (R5).
CREATE VIEW token_gaps AS
  SELECT lock, token, before, granted_at FROM (
    SELECT lock, token, granted_at, granted_moment, lag(token) OVER (PARTITION BY lock ORDER BY granted_moment) AS before FROM leases
    WHERE granted_moment IS NOT NULL)
  WHERE token <> before + 1 OR before IS NULL AND token <> 1 AND (SELECT value FROM meta WHERE name = 'first_event') = 1;
