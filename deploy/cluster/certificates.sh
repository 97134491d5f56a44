#!/bin/sh
# Makes the certificates by which the machines of a cluster know each other: a private authority
# (CA), and the certificates of each machine. docs/cluster.md has the steps.
set -eu
umask 077

usage() {
  cat <<'END'
Usage: certificates.sh [--folder FOLDER] [--days DAYS] COMMAND

  ca                        make the private authority; once, before everything else
  database NAME ADDRESS...  make the certificates of a database machine
  node NAME ADDRESS...      those of a machine with a node, or in front of the nodes
  monitor NAME ADDRESS...   those of the machine with Prometheus
  renew [NAME...]           make those of these machines again, or of all machines
  list                      show when each certificate ends
  install FOLDER            on a machine, as root: put its certificates in place

NAME is the name of the machine in the files of deploy/cluster, such as database-1. The ADDRESSes
are those that others use: IP addresses or host names.

  --folder FOLDER  where the authority and the machines' folders are: ./certificates
  --days DAYS      how long certificates are valid: 365, the authority ten times as long

Example:
  certificates.sh ca
  certificates.sh database database-1 10.0.0.11
  certificates.sh node node-1 10.0.0.21 node-1.internal
END
}

fail() {
  printf 'certificates.sh: %s\n' "$*" >&2
  exit 1
}

# Where a machine has its certificates.
TARGET=/etc/cardprice/tls

folder=certificates
days=365
while [ $# -gt 0 ]; do
  case $1 in
    --help | -h) usage; exit ;;
    --folder) folder=${2:?needs a folder}; shift 2 ;;
    --days) days=${2:?needs a number}; shift 2 ;;
    -*) fail "There is no option $1. See --help." ;;
    *) break ;;
  esac
done
case $days in '' | *[!0-9]* | 0*) fail "--days needs a number, such as 365." ;; esac
command -v openssl >/dev/null || fail 'Install openssl first: apt-get install openssl'

# Everything is made in a temporary folder and moved: an interrupted run leaves nothing half done.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP

# Signs for a new key. $1: its name, $2: the common name, $3: the extended key usage, $4: who signs
# (empty: itself, as a CA), $5: days, $6: the names and addresses, if any.
certify() {
  {
    printf '[req]\ndistinguished_name=dn\nprompt=no\nx509_extensions=ext\n[dn]\nCN=%s\n[ext]\n' "$2"
    printf 'subjectKeyIdentifier=hash\n'
    if [ -n "$4" ]; then
      printf 'authorityKeyIdentifier=keyid\nbasicConstraints=critical,CA:FALSE\n'
      printf 'keyUsage=critical,digitalSignature\nextendedKeyUsage=%s\n' "$3"
    else
      printf 'basicConstraints=critical,CA:TRUE,pathlen:0\nkeyUsage=critical,keyCertSign,cRLSign\n'
    fi
    [ -z "$6" ] || printf 'subjectAltName=%s\n' "$6"
  } > "$work/config"
  openssl req -x509 -new -config "$work/config" ${4:+-CA "$4.crt" -CAkey "$4.key"} -days "$5" -sha256 -noenc \
    -newkey ec -pkeyopt ec_paramgen_curve:P-256 -set_serial "0x$(openssl rand -hex 16)" \
    -keyout "$work/$1.key" -out "$work/$1.crt" 2> "$work/errors" || fail "$(cat "$work/errors")"
}

make_ca() {
  [ $# -eq 0 ] || fail 'ca takes no names.'
  [ ! -e "$folder/ca.key" ] && [ ! -e "$folder/ca.crt" ] ||
    fail "$folder has an authority already, which all machines trust. It is not replaced."
  certify ca 'Cardprice cluster' '' '' $((days * 10)) ''
  mkdir -p "$folder"
  mv "$work/ca.crt" "$work/ca.key" "$folder"
  echo "Made the authority in $folder: ca.crt and ca.key."
  echo 'Whoever has ca.key can be any machine: keep it, with a copy, on no machine of the cluster.'
}

need_ca() {
  [ -e "$folder/ca.key" ] || fail "$folder has no authority. Make one with: certificates.sh ca"
  [ -r "$folder/ca.key" ] || fail "$folder/ca.key cannot be read by $(id -un)."
  cp "$folder/ca.crt" "$folder/ca.key" "$work"
}

# Puts names and addresses into $names, as OpenSSL takes them.
set_names() {
  names=''
  for name in "$@"; do
    case $name in
      '' | *[!A-Za-z0-9.:-]*) fail "'$name' is neither a name nor an address." ;;
      *:*) names="$names,IP:$name" ;;
      *[!0-9.]*) names="$names,DNS:$name" ;;
      *) names="$names,IP:$name" ;;
    esac
  done
  names=${names#,}
}

# The certificates of a machine. $1: its kind, then its name and addresses.
make_machine() {
  kind=$1 machine=${2-}
  [ $# -ge 3 ] || fail "$kind needs a name and an address, such as: $kind $kind-1 10.0.0.11"
  shift
  case $machine in *[!a-z0-9-]* | -* | ca) fail "'$machine' is not a name like $kind-1." ;; esac
  set_names "$@"
  case $kind in
    database)
      # By etcd-client, etcd knows who may change who is the primary.
      issue etcd serverAuth,clientAuth "DNS:etcd-client,$names"
      # PostgreSQL has this one too. Nodes reach it by a proxy on their own machine.
      issue patroni serverAuth,clientAuth "DNS:etcd-client,DNS:localhost,IP:127.0.0.1,$names"
      issue exporter clientAuth ''
      issue haproxy serverAuth,clientAuth "$names"
      ;;
    node)
      issue cardprice clientAuth ''
      issue haproxy serverAuth,clientAuth "$names"
      ;;
    monitor) issue prometheus clientAuth '' ;;
  esac
  target=$folder/$machine
  mkdir -p "$target"
  cp "$folder/ca.crt" "$target"
  mv "$work/made/"* "$target"
  printf '%s %s\n' "$kind" "$*" > "$target/machine"
  echo "Made the certificates of $machine in $target, valid for $days days. Take them there:"
  echo "  scp -r $target certificates.sh root@$2:"
  echo "  ssh root@$2 'sh certificates.sh install $machine && rm -r $machine'"
}

# Puts a certificate of the machine with its key among what is made. Its name is who it is for.
issue() {
  mkdir -p "$work/made"
  certify "$1" "$1" "$2" "$work/ca" "$days" "$3"
  mv "$work/$1.crt" "$work/$1.key" "$work/made"
}

renew() {
  if [ $# -eq 0 ]; then
    for file in "$folder"/*/machine; do
      [ -e "$file" ] || fail "$folder has no machine."
      renew "$(basename "$(dirname "$file")")"
    done
    return
  fi
  for name in "$@"; do
    [ -e "$folder/$name/machine" ] || fail "$folder has no machine $name. See: certificates.sh list"
    # Its words are the kind, the name and the addresses.
    # shellcheck disable=SC2046
    make_machine $(cat "$folder/$name/machine")
  done
}

list() {
  for file in "$folder"/ca.crt "$folder"/*/*.crt; do
    path=${file#"$folder"/}
    [ -e "$file" ] && [ "${path%/ca.crt}" = "$path" ] || continue
    soon=''
    openssl x509 -in "$file" -noout -checkend 2592000 > "$work/checked" || soon='  ends soon: renew it'
    end=$(openssl x509 -in "$file" -noout -enddate)
    printf '%-40s ends %s%s\n' "$path" "${end#notAfter=}" "$soon"
  done
}

# The user whose process reads a key.
owner_of() {
  case $1 in
    patroni) echo postgres ;;
    exporter) echo prometheus ;;
    *) echo "$1" ;;
  esac
}

install_machine() {
  from=${1-}
  [ -n "$from" ] && [ -e "$from/machine" ] || fail 'install needs the folder of a machine.'
  [ "$(id -u)" = 0 ] || fail 'install needs root, because each key gets another owner.'
  install -d -m 755 "$TARGET"
  install -m 644 "$from/ca.crt" "$TARGET"
  for key in "$from"/*.key; do
    name=$(basename "$key" .key)
    owner=$(owner_of "$name")
    if ! id "$owner" > "$work/id" 2>&1; then
      echo "Left out $name: there is no user $owner. Install its program, then repeat this."
      continue
    fi
    install -m 644 "$from/$name.crt" "$TARGET"
    install -m 600 -o "$owner" "$key" "$TARGET"
    echo "Installed $TARGET/$name.crt and $name.key, for the user $owner."
  done
  case $(cat "$from/machine") in
    database*) echo "After a renewal: systemctl reload cardprice-patroni 'cardprice-haproxy@*'" ;;
    node*) echo "After a renewal: systemctl reload 'cardprice-haproxy@*'" ;;
  esac
}

command=${1-}
[ $# -eq 0 ] || shift
case $command in
  ca) make_ca "$@" ;;
  database | node | monitor) need_ca; make_machine "$command" "$@" ;;
  renew) need_ca; renew "$@" ;;
  list) list ;;
  install) install_machine "$@" ;;
  '') usage >&2; exit 1 ;;
  *) fail "There is no command $command. See --help." ;;
esac
