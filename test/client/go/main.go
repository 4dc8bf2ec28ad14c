// The client of golang.org/x/oauth2 as released: sign in, exchange, call the API, refresh, call, revoke. It prints its results as JSON.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"time"

	"golang.org/x/oauth2"
)

type given struct {
	Issuer, Browser, Callback string
	Confidential              struct{ ID, Secret string }
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// What the API answers: the username, or the status of a refusal.
func call(client *http.Client, api string) any {
	answer, err := client.Post(api, "application/json", bytes.NewBufferString(`{"query":"{ me { username } }"}`))
	check(err)
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return answer.StatusCode
	}
	var body struct {
		Data struct{ Me struct{ Username string } }
	}
	check(json.NewDecoder(answer.Body).Decode(&body))
	return body.Data.Me.Username
}

func main() {
	var args given
	check(json.Unmarshal([]byte(os.Args[1]), &args))
	ctx, api := context.Background(), args.Issuer+"/graphql"
	conf := &oauth2.Config{
		ClientID:     args.Confidential.ID,
		ClientSecret: args.Confidential.Secret,
		RedirectURL:  args.Callback,
		Scopes:       []string{"read", "offline"},
		Endpoint:     oauth2.Endpoint{AuthURL: args.Issuer + "/oauth2/auth", TokenURL: args.Issuer + "/oauth2/token"},
	}

	verifier := oauth2.GenerateVerifier()
	asked := conf.AuthCodeURL("a-state-of-mine", oauth2.S256ChallengeOption(verifier))
	answer, err := http.Get(args.Browser + "?" + url.Values{"url": {asked}}.Encode())
	check(err)
	location, err := io.ReadAll(answer.Body)
	check(err)
	back, err := url.Parse(string(location))
	check(err)
	first, err := conf.Exchange(ctx, back.Query().Get("code"), oauth2.VerifierOption(verifier))
	check(err)
	username := call(conf.Client(ctx, first), api)

	expired := *first
	expired.Expiry = time.Now().Add(-time.Minute)
	second, err := conf.TokenSource(ctx, &expired).Token()
	check(err)
	refreshed := call(conf.Client(ctx, second), api)

	// The package has no function for it.
	form := url.Values{"token": {second.RefreshToken}, "client_id": {conf.ClientID}, "client_secret": {conf.ClientSecret}}
	revocation, err := http.PostForm(args.Issuer+"/oauth2/revoke", form)
	check(err)
	if revocation.StatusCode != http.StatusOK {
		check(fmt.Errorf("the revocation was answered with %d", revocation.StatusCode))
	}
	check(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"username":  username,
		"refreshed": refreshed,
		"isRotated": second.RefreshToken != first.RefreshToken && second.AccessToken != first.AccessToken,
		"revoked":   call(conf.Client(ctx, second), api),
	}))
}
