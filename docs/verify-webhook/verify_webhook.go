package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strconv"
	"time"
)

const tolerance = 5 * time.Minute

var pattern = regexp.MustCompile(`^t=([0-9]{1,16}),s=([0-9a-f]{64})$`)

// IsGenuine tells whether the Service-Signature header signs these raw body bytes with the secret, at most five minutes ago.
func IsGenuine(secret, header string, rawBody []byte, now time.Time) bool {
	parts := pattern.FindStringSubmatch(header)
	if parts == nil {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(parts[1] + "."))
	mac.Write(rawBody)
	signature, _ := hex.DecodeString(parts[2]) // The pattern admits hex digits only.
	milliseconds, _ := strconv.ParseInt(parts[1], 10, 64)
	return hmac.Equal(mac.Sum(nil), signature) && now.Sub(time.UnixMilli(milliseconds)).Abs() <= tolerance
}
