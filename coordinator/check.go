package coordinator

// CheckToken tells whether a token is that of the key's lease in force. Who
// stores something on behalf of leaders asks it before each write; a former
// leader's token is refused from the instant at which its lease ends.
//
// It reads the clock and journals nothing. If the key's last change is not
// durable yet, it waits for that, so it never answers from a lease that a crash
// could take back. After Close, or a failure, no token is good.
func (c *Coordinator) CheckToken(key string, token uint64) bool {
	current, ok := c.Token(key)
	return ok && current == token
}

// ValidateToken is another name of CheckToken.
func (c *Coordinator) ValidateToken(key string, token uint64) bool {
	return c.CheckToken(key, token)
}

// Token returns the token of the key's lease in force; ok is false if there is
// none. It waits and fails as CheckToken does.
func (c *Coordinator) Token(key string) (token uint64, ok bool) {
	token, ok, on := c.token(key)
	if on != nil {
		select {
		case <-on.told:
		case <-c.stopping:
			return 0, false
		}
	}
	return token, ok
}

// token reads, and returns the commit that the answer depends on, if that is
// still on its way.
func (c *Coordinator) token(name string) (token uint64, ok bool, on *commit) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.now()
	k := c.keys[name]
	if k == nil || c.stopped != nil {
		return 0, false, nil
	}
	on = c.onItsWay(k)
	if k.live(now) {
		return uint64(k.highest), true, on
	}
	k.noticeEnd(now)
	if k.waiting == 0 {
		return 0, false, on
	}
	// The hand-over is not journaled yet, but follows from what is (R3).
	for _, holder := range c.machine.State().At(now).Holders(name) {
		return uint64(holder.Token), true, on
	}
	return 0, false, on
}
